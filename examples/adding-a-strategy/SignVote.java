package dev.medley.training.strategy;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.tensor.model.Replica;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.function.DoubleSupplier;

/**
 * Sends signs in the place of a gradient, with the weight of the worker's samples, and leaves the
 * sign of their sum: each element moves by the learning rate, the way that most samples want.
 */
public final class SignVote implements InsteadOfGradient {
    private final Replica replica;

    /** For a replica. */
    public SignVote(Replica replica) {
        this.replica = replica;
    }

    @Override
    public void travelIn(Buckets buckets, Part part, DoubleSupplier weight) {
        buckets.changing(
                (offset, bytes) -> {
                    double own = weight.getAsDouble();
                    replace(replica.gradients().slice(offset, bytes), own);
                });
    }

    @Override
    public void summed(Part part, Tail tail) {
        replace(replica.gradients(), tail.weight());
    }

    private void replace(Span gradient, double by) {
        ElementType type = replica.layout().type();
        Memory.combine(gradient, gradient, gradient, type, (g, same) -> Math.signum(g) * by);
    }
}
