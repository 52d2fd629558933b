package dev.medley.training.worker;

import dev.medley.base.TrialScope;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.Span;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.net.control.Message;
import dev.medley.tensor.model.Learner;
import dev.medley.training.loop.SpeedTrial;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Times passes of a worker's own, outside any step.
 *
 * <p>Thread: the training thread.
 */
final class OwnSpeed {
    /** A fit that takes all samples in each step may need few steps: a part tells as much. */
    private static final int MOST_OF_ALL = 1 << 15;

    /** For trees each pass bins its rows first, which takes longer than the round. */
    private static final int MOST_OF_TREES = 1 << 13;

    private final Learner learner;
    private final TrainingData data;
    private final Clock clock;
    private int microBatch = Integer.MAX_VALUE;
    private @Nullable Span ownAccumulators;

    OwnSpeed(Learner learner, TrainingData data, Clock clock) {
        this.learner = learner;
        this.data = data;
        this.clock = clock;
    }

    /**
     * How long shares take here, where they, or the batch, follow speed, or a strategy is chosen by
     * it. Of a round, whose share is many batches, as much as an equal share would take.
     *
     * @param trying told how many samples go through the model at once, before they do
     */
    List<Message.Tried> tried(JobSpec job, TrialScope scope, IntConsumer trying) {
        boolean isAsked =
                job.isBalanced() || job.train().batches().isAdaptive() || job.strategy().isOpen();
        if (!isAsked) {
            return List.of();
        }
        SpeedTrial trial = new SpeedTrial(learner, data, clock);
        int equal = Math.max(1, job.roundSamples() / job.cluster().workers());
        int whole = Math.max(1, Math.min(job.innerBatch(), equal) / job.train().accumulate());
        int most =
                job.model() instanceof ModelSpec.Trees
                        ? MOST_OF_TREES
                        : takesAll(job) ? MOST_OF_ALL : Integer.MAX_VALUE;
        int batch = Math.min(Math.min(whole, most), scope.mostSamples());
        trying.accept(batch);
        long batchNs = trial.passNs(batch);
        if (equal > batch) {
            return List.of(new Message.Tried(equal, batchNs * equal / batch));
        }
        int few = Math.max(1, batch / 4);
        return few == batch || !scope.isFull()
                ? List.of(new Message.Tried(batch, batchNs))
                : List.of(
                        new Message.Tried(few, trial.passNs(few)),
                        new Message.Tried(batch, batchNs));
    }

    /** By now the batch of such a job is the number of its samples. */
    private static boolean takesAll(JobSpec job) {
        return job.train().optimizer().takesAllSamples();
    }

    /** From here on accumulators lie where they are exchanged, and are computed in such parts. */
    void entered(int partSamples) {
        microBatch = partSamples;
        ownAccumulators = null;
    }

    /**
     * How long so many samples take here now, in parts as large as in the last group. The memory
     * that is shared with others is left alone: accumulators lie in some of this worker's own until
     * the next group begins. What it holds of the run is out of date, and stays as it is.
     */
    Message.Tried alone(int samples) {
        int part = Math.max(1, Math.min(samples, microBatch));
        if (ownAccumulators == null) {
            ownAccumulators = Span.allocate(learner.accumulatorLayout().gradientBytes());
            learner.bindAccumulators(ownAccumulators);
        }
        long partNs = new SpeedTrial(learner, data, clock).passNs(part);
        return new Message.Tried(samples, Math.max(1, partNs * samples / part));
    }
}
