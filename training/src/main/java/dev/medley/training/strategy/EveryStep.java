package dev.medley.training.strategy;

import dev.medley.base.Group;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.List;

/**
 * Synchronous data parallelism with weighted averaging: with b_i the weight of rank i's samples and
 * g_i their mean gradient, every rank applies g = sum(b_i g_i) / sum(b_i). What travels is b_i g_i
 * and b_i, so shares may differ and may be empty. Buckets leave while backward still runs.
 */
public final class EveryStep implements Strategy {
    private final Replica replica;
    private final Optimizer optimizer;
    private final double clipNorm;
    private final Passes passes;

    /**
     * A strategy that moves all replicas by the same optimizer.
     *
     * @param clipNorm largest norm of the mean gradient; 0 for no limit
     */
    public EveryStep(Replica replica, Optimizer optimizer, double clipNorm) {
        this.replica = replica;
        this.optimizer = optimizer;
        this.clipNorm = clipNorm;
        this.passes = new Passes(replica);
    }

    /**
     * Members with unlike LibTorch kernels apply updates in plain Java, which is equal everywhere.
     */
    @Override
    public void formed(Group group) {
        optimizer.setArithmetic(group.hasEqualKernels() ? Arithmetic.LIBTORCH : Arithmetic.STRICT);
    }

    @Override
    public StepLoss compute(Part part, Feed feed, Buckets buckets) {
        return passes.of(feed.next(), part, part.position(), buckets);
    }

    @Override
    public Update update(Part part, Tail tail) {
        return new GradientUpdate(
                replica,
                optimizer,
                tail.weight(),
                clipNorm,
                part.learningRateFactor().applyAsDouble(0));
    }

    @Override
    public void discarded() {
        // The gradients are written anew by the next step; nothing else has changed.
    }

    @Override
    public List<NamedSpan> state() {
        return optimizer.state();
    }

    @Override
    public long bytes() {
        return Memory.bytes(optimizer.state());
    }

    @Override
    public void close() {
        optimizer.close();
    }
}
