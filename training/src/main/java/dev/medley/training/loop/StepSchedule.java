package dev.medley.training.loop;

import dev.medley.base.Cursor;
import dev.medley.base.Plan;
import dev.medley.base.job.TrainSpec;
import dev.medley.store.dataset.SampleRange;

/**
 * What follows from a step's number alone: its samples, its learning rate, whether an evaluation is
 * due after it.
 *
 * @param train the job's settings
 * @param samplesPerEpoch training samples
 */
public record StepSchedule(TrainSpec train, long samplesPerEpoch) {
    /** Steps that use up an epoch; the last may be short. */
    public long stepsPerEpoch() {
        return (samplesPerEpoch + train.batch() - 1) / train.batch();
    }

    /** The last step that the budget of epochs and steps allows. */
    public long lastStep() {
        return train.budget().maxSteps(stepsPerEpoch());
    }

    /** The cursor before a step. */
    public Cursor cursor(long step) {
        return Cursor.beforeStep(step, train.batch(), samplesPerEpoch);
    }

    /** Samples of a step over all ranks. */
    public long samples(long step) {
        return cursor(step).samplesInStep(train.batch(), samplesPerEpoch);
    }

    /** The samples of one rank in a step. */
    public SampleRange share(long step, Plan plan, int rank) {
        Cursor cursor = cursor(step);
        long samples = samples(step);
        return new SampleRange(
                cursor.epoch(),
                cursor.position() + plan.shareStart(rank, samples),
                cursor.position() + plan.shareEnd(rank, samples));
    }

    /** Factor on the learning rate of a step. */
    public double learningRateFactor(long step) {
        return train.schedule().factor(step, lastStep(), stepsPerEpoch());
    }

    /** Whether an evaluation is due after a step. */
    public boolean isEvaluationDue(long step) {
        long every = train.evaluateEverySteps() > 0 ? train.evaluateEverySteps() : stepsPerEpoch();
        return step > 0 && (step % every == 0 || step == lastStep());
    }

    /** Whether a step is the last of an epoch. */
    public boolean endsEpoch(long step) {
        return step > 0 && step % stepsPerEpoch() == 0;
    }
}
