package dev.medley.training.strategy;

import dev.medley.base.memory.Batch;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;

/** Forward and backward of a batch, in parts that fit into memory. */
final class Passes {
    private final Replica replica;

    Passes(Replica replica) {
        this.replica = replica;
    }

    /**
     * Leaves the gradient of the loss sum of {@code batch} in the replica's gradients.
     *
     * @param position of its first sample within the step's samples of all workers
     * @param ready hears of each gradient that is complete
     */
    StepLoss of(Batch batch, Part part, long position, ReadyListener ready) {
        replica.zeroGradients();
        StepLoss sum = StepLoss.NONE;
        int from = 0;
        do {
            int to = (int) Math.min(batch.samples(), (long) from + part.microBatch());
            boolean last = to == batch.samples();
            sum =
                    sum.plus(
                            replica.forwardBackward(
                                    batch.rows(from, to),
                                    part.step(),
                                    position + from,
                                    last ? ready : ReadyListener.NONE));
            from = to;
        } while (from < batch.samples());
        return sum;
    }
}
