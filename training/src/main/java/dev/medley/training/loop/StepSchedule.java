package dev.medley.training.loop;

import dev.medley.base.BatchSizes;
import dev.medley.base.Cursor;
import dev.medley.base.Plan;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.data.order.SampleRange;

/**
 * The samples, the learning rate and the evaluations of steps, as they follow only from a step's
 * number.
 *
 * <p>A step of the run is what lies between two exchanges. Where workers take several steps by
 * themselves it is a <em>round</em> of {@code round.steps()} steps of {@code train.batch} samples;
 * the last round of an epoch may have fewer. What a job gives in steps (budget, warm-up, intervals)
 * counts such batches, and is rounded up to the step in which it falls. So it does where the batch
 * adapts: then {@code train.batch} is the one that the run began with.
 *
 * @param train the job's settings
 * @param round between two exchanges
 * @param samplesPerEpoch training samples
 * @param sizes how many samples steps take
 */
public record StepSchedule(TrainSpec train, Round round, long samplesPerEpoch, BatchSizes sizes) {
    /**
     * What lies between two exchanges.
     *
     * @param steps of {@code train.batch} samples over all workers
     * @param innerBatch most samples that a worker computes before it exchanges, or moves by itself
     */
    public record Round(int steps, int innerBatch) {}

    /** What a step is called: {@code step}, or {@code round} where it is several. */
    public String word() {
        return round.steps() > 1 ? "round" : "step";
    }

    /** The schedule of a job. */
    public static StepSchedule of(JobSpec job, long samplesPerEpoch) {
        Round round = new Round(job.strategy().round().syncEvery(), job.innerBatch());
        return new StepSchedule(job.train(), round, samplesPerEpoch);
    }

    /** Steps that all take as many samples. */
    public StepSchedule(TrainSpec train, Round round, long samplesPerEpoch) {
        this(
                train,
                round,
                samplesPerEpoch,
                BatchSizes.of(Math.multiplyExact(train.batch(), round.steps())));
    }

    /** An exchange after every batch. */
    public StepSchedule(TrainSpec train, long samplesPerEpoch) {
        this(train, new Round(1, train.batch()), samplesPerEpoch);
    }

    /** The same with these sizes of steps. */
    public StepSchedule with(BatchSizes changed) {
        return new StepSchedule(train, round, samplesPerEpoch, changed);
    }

    /** Steps that use up an epoch, with the last of the sizes; the last may be short. */
    public long stepsPerEpoch() {
        return ceil(samplesPerEpoch, sizes.last().samples());
    }

    /** The last step that the budget of epochs and steps allows. */
    public long lastStep() {
        long batches = lastBatch();
        return batches == Long.MAX_VALUE ? batches : stepOfBatch(batches);
    }

    /** The cursor before a step. */
    public Cursor cursor(long step) {
        return sizes.before(step, samplesPerEpoch);
    }

    /** Samples of a step over all ranks. */
    public long samples(long step) {
        return sizes.samples(step, samplesPerEpoch);
    }

    /** Batches of {@code train.batch} samples that a step takes; the last may be short. */
    public int batches(long step) {
        return (int) (batchesBefore(step + 1) - batchesBefore(step));
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
        return learningRateFactor(step, 0, 1);
    }

    /**
     * Factor on the learning rate of a worker's inner step {@code i} (from 0) of {@code count} in a
     * step: that of the batch which all workers together have come to by then.
     */
    public double learningRateFactor(long step, int i, int count) {
        long before = batchesBefore(step);
        long done = (batchesBefore(step + 1) - before) * i / count;
        return train.schedule().factor(before + done + 1, lastBatch(), batchesPerEpoch());
    }

    /** Whether an evaluation is due after a step. */
    public boolean isEvaluationDue(long step) {
        long said = train.evaluateEverySteps();
        long every = said > 0 ? said : train.budget().evaluateEvery(batchesPerEpoch());
        boolean due = every > 0 ? completes(step, every) : endsEpoch(step);
        return step > 0 && (due || step == lastStep());
    }

    /** Whether a step takes a batch whose number, from 1 over the run, {@code every} divides. */
    public boolean completes(long step, long every) {
        return step > 0 && batchesBefore(step + 1) / every > batchesBefore(step) / every;
    }

    /** Whether a step ends the batch of this number, from 1 over the run. */
    public boolean takes(long step, long batch) {
        return stepOfBatch(batch) == step;
    }

    /** Whether a step is the last of an epoch. */
    public boolean endsEpoch(long step) {
        return step > 0 && cursor(step + 1).position() == 0;
    }

    /**
     * Whether members compare what they hold after a step: once an epoch, and not in every step.
     */
    public boolean isHashed(long step) {
        return endsEpoch(step) && (stepsPerEpoch() > 1 || isEvaluationDue(step));
    }

    private long batchesPerEpoch() {
        return ceil(samplesPerEpoch, train.batch());
    }

    private long lastBatch() {
        return train.budget().maxSteps(batchesPerEpoch());
    }

    private long batchesBefore(long step) {
        Cursor cursor = cursor(step);
        return cursor.epoch() * batchesPerEpoch() + cursor.position() / train.batch();
    }

    /** The step that takes the last sample of the batch. */
    private long stepOfBatch(long batch) {
        long inEpoch = (batch - 1) % batchesPerEpoch();
        long end = Math.min((inEpoch + 1) * train.batch(), samplesPerEpoch);
        Cursor last = new Cursor((batch - 1) / batchesPerEpoch(), end - 1);
        return sizes.stepOf(last, samplesPerEpoch);
    }

    private static long ceil(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }
}
