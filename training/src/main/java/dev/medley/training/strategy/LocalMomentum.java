package dev.medley.training.strategy;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.tensor.model.Replica;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.function.DoubleSupplier;

/**
 * Sends a worker's own momentum in the place of its gradient. This is momentum correction (Deep
 * Gradient Compression: Lin, Han, Mao, Wang, Dally, ICLR 2018, arXiv 1712.01887, section 3.1). With
 * g_i the gradient of the sum of worker i's losses, and W the weight of all workers' samples of the
 * step, by which the sum is divided,
 *
 * <pre>
 *     u_i = m u_i + g_i / W;  what travels is W u_i, or with Nesterov g_i + m W u_i
 * </pre>
 *
 * <p>Momentum is linear: the sum of all u_i is the momentum of the mean gradient, so where nothing
 * is left out a plain step along it is the step of SGD with momentum, however unlike the weights of
 * steps are. Where topk leaves elements out they wait with their momentum, and not without it as if
 * momentum came after the sum.
 *
 * <p>The paper also clears u_i where something was sent (momentum factor masking), which is not
 * done here: an element loses about 1 / (1 - m) steps each time it is sent, and needs densities far
 * below that to bear it.
 *
 * <p>Owns two copies of the gradients. One owner: the training thread.
 */
public final class LocalMomentum implements InsteadOfGradient {
    private final Replica replica;
    private final double momentum;
    private final boolean isNesterov;

    /** After the last step that was applied, and after the one under way. */
    private Span held;

    private Span next;

    /** Nothing moves yet. */
    public LocalMomentum(Replica replica, OptimizerSpec rule) {
        this.replica = replica;
        this.momentum = rule.momentum();
        this.isNesterov = rule.nesterov();
        this.held = Span.allocate(replica.layout().gradientBytes());
        this.next = Span.allocate(replica.layout().gradientBytes());
    }

    /** What leaves through these buckets is momentum. */
    @Override
    public void travelIn(Buckets buckets, Part part, DoubleSupplier weight) {
        buckets.changing((offset, bytes) -> replace(offset, bytes, buckets.unit()));
    }

    private void replace(long offsetBytes, long bytes, double unit) {
        if (unit == 0) {
            return; // Nothing will be applied.
        }
        ElementType type = replica.layout().type();
        Span gradient = replica.gradients().slice(offsetBytes, bytes);
        Span before = held.slice(offsetBytes, bytes);
        Span after = next.slice(offsetBytes, bytes);
        Memory.combine(before, gradient, after, type, (u, g) -> momentum * u + g / unit);
        // Nesterov's looks one step further ahead.
        Span carried = isNesterov ? after : before;
        double factor = momentum * unit;
        Memory.combine(carried, gradient, gradient, type, (u, g) -> g + factor * u);
    }

    /** The mean of momenta is the momentum of the mean: it stays. */
    @Override
    public void summed(Part part, Tail tail) {
        Span old = held;
        held = next;
        next = old;
    }

    @Override
    public void forget() {
        held.clear();
    }

    @Override
    public long bytes() {
        return held.bytes() + next.bytes();
    }
}
