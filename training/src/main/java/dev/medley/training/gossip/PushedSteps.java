package dev.medley.training.gossip;

import dev.medley.base.memory.Batch;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.strategy.GradientUpdate;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Passes;

/**
 * Takes the steps of a gossip's member by itself, with its optimizer, at a rate that its weight
 * divides. So each sample moves the common average by the same, whatever its worker's weight.
 */
final class PushedSteps implements AutoCloseable {
    private final Replica replica;
    private final Optimizer optimizer;
    private final double clipNorm;
    private final PushSum sum;
    private final Passes passes;
    private long position;

    /**
     * Steps of a replica.
     *
     * @param clipNorm largest norm of a step's mean gradient; 0 for no limit
     * @param sum that knows this member's weight
     */
    PushedSteps(Replica replica, Optimizer optimizer, double clipNorm, PushSum sum) {
        this.replica = replica;
        this.optimizer = optimizer;
        this.clipNorm = clipNorm;
        this.sum = sum;
        this.passes = new Passes(replica);
    }

    /** The moments are zero. */
    void beginAnew() {
        optimizer.state().forEach(moment -> moment.data().clear());
    }

    /** A round begins. */
    void begin(Part part) {
        position = part.position();
    }

    /** Leaves the gradient of a batch in the replica's gradients; what its samples lost. */
    StepLoss gradient(Part part, Batch batch) {
        StepLoss loss = passes.of(batch, part, position, ReadyListener.NONE);
        position += batch.samples();
        return loss;
    }

    /** Moves along that gradient, of samples of so much weight, as the round's step {@code i}. */
    void move(Part part, int i, double weight) {
        double rate = part.learningRateFactor().applyAsDouble(i);
        double divided = rate / sum.weight();
        new GradientUpdate(replica, optimizer, weight, clipNorm, divided).run();
    }

    /** Native memory of the moments. */
    long bytes() {
        return Memory.bytes(optimizer.state());
    }

    @Override
    public void close() {
        optimizer.close();
    }
}
