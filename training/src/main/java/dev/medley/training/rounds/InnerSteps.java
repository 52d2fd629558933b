package dev.medley.training.rounds;

import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.strategy.GradientUpdate;
import dev.medley.training.strategy.Memory;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Passes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes a worker's steps within a round, by itself or with the workers of its site, with an
 * optimizer of its own. Its moments stay from round to round, come back with a round that is
 * discarded, and begin anew on demand.
 */
final class InnerSteps implements AutoCloseable {
    private final Replica replica;
    private final Optimizer optimizer;
    private final double clipNorm;
    private final Passes passes;
    private final List<Span> before;
    private long position;

    /**
     * Steps of a replica.
     *
     * @param clipNorm largest norm of a step's mean gradient; 0 for no limit
     */
    InnerSteps(Replica replica, Optimizer optimizer, double clipNorm) {
        this.replica = replica;
        this.optimizer = optimizer;
        this.clipNorm = clipNorm;
        this.passes = new Passes(replica);
        this.before = optimizer.state().stream().map(s -> Span.allocate(s.data().bytes())).toList();
    }

    /** The moments are zero. */
    void beginAnew() {
        optimizer.state().forEach(moment -> moment.data().clear());
    }

    /** A round begins. */
    void begin(Part part) {
        position = part.position();
        for (int i = 0; i < before.size(); i++) {
            before.get(i).copyFrom(optimizer.state().get(i).data());
        }
    }

    /** Moves the parameters by the round's batch {@code i}, from 0; what its samples lost. */
    StepLoss take(Part part, int i, Batch batch) {
        StepLoss loss = passes.of(batch, part, position, ReadyListener.NONE);
        double factor = part.learningRateFactor().applyAsDouble(i);
        new GradientUpdate(replica, optimizer, loss.weight(), clipNorm, factor).run();
        position += batch.samples();
        return loss;
    }

    /**
     * Moves the parameters by the round's batch {@code i} and those of this rank's mates, as all of
     * them do; nothing moves where one of them is unsound.
     *
     * @return what this rank's samples lost, which is no number where this rank is unsound; null if
     *     the group ended meanwhile
     */
    @Nullable StepLoss takeWithMates(Part part, int i, Batch batch, Buckets buckets) {
        buckets.beginAtSite();
        StepLoss loss = passes.of(batch, part, position, buckets);
        position += batch.samples();
        if (buckets.finishAtSite(loss.lossSum(), loss.weight()) != null) {
            return null;
        }
        if (!buckets.isSoundAtSite()) {
            boolean isOwn = !buckets.tail().isSound(part.rank());
            return isOwn ? new StepLoss(Double.NaN, loss.weight()) : loss;
        }
        double factor = part.learningRateFactor().applyAsDouble(i);
        new GradientUpdate(replica, optimizer, buckets.tail().weight(), clipNorm, factor).run();
        return loss;
    }

    /** The moments, which a worker goes on with while its group does. */
    List<NamedSpan> moments() {
        return optimizer.state();
    }

    /** How the steps compute; equal on mates whose kernels are equal. */
    void setArithmetic(Arithmetic arithmetic) {
        optimizer.setArithmetic(arithmetic);
    }

    /** The moments are as they were when the round began. */
    void discarded() {
        for (int i = 0; i < before.size(); i++) {
            optimizer.state().get(i).data().copyFrom(before.get(i));
        }
    }

    /** Native memory of the moments and of their copies. */
    long bytes() {
        return 2 * Memory.bytes(optimizer.state());
    }

    @Override
    public void close() {
        optimizer.close();
    }
}
