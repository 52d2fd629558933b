package dev.medley.training.strategy;

import dev.medley.base.memory.Batch;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.StepLoss;

/** Takes a batch into a learner, in parts that fit into memory. */
public final class Passes {
    private final Learner learner;

    /** Hears that the accumulators are those of the first micro-batch alone. */
    @FunctionalInterface
    interface First {
        /** Nobody hears. */
        First UNHEARD = weight -> {};

        /** Weight of its samples. */
        void done(double weight);
    }

    /** Passes over samples of {@code learner}. */
    public Passes(Learner learner) {
        this.learner = learner;
    }

    /** The same, where nobody hears of the first micro-batch. */
    public StepLoss of(Batch batch, Part part, long position, ReadyListener ready) {
        return of(batch, part, position, ready, First.UNHEARD);
    }

    /**
     * Leaves the sums over {@code batch} in the accumulators: of a replica, the gradient of the
     * loss sum.
     *
     * @param position of its first sample within the step's samples of all workers
     * @param ready hears of each accumulator that is complete
     * @param first hears of the first micro-batch, if there are others
     */
    public StepLoss of(Batch batch, Part part, long position, ReadyListener ready, First first) {
        learner.begin();
        StepLoss sum = StepLoss.NONE;
        int from = 0;
        do {
            int to = (int) Math.min(batch.samples(), (long) from + part.microBatch());
            boolean last = to == batch.samples();
            sum =
                    sum.plus(
                            learner.take(
                                    batch.rows(from, to),
                                    part.step(),
                                    position + from,
                                    last ? ready : ReadyListener.NONE));
            if (from == 0 && !last) {
                first.done(sum.weight());
            }
            from = to;
        } while (from < batch.samples());
        return sum;
    }
}
