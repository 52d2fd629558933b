package dev.medley.training.strategy;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.Tail;
import java.util.function.DoubleSupplier;

/**
 * Sends Adam's momentum in the place of gradients: 1-bit Adam (Tang, Gan, Awan, Rajbhandari, Li,
 * Lian, Liu, Zhang, He, ICML 2021, arXiv 2102.02888). A codec as coarse as signs may not touch what
 * Adam squares, so the first steps are exact, and Adam learns the variance v from them; after them
 * Adam is linear in the gradients:
 *
 * <pre>
 *     worker i sends   u_i = (b1 c_i m + (1 - b1) g_i) / d     g_i: gradient of the sum of its losses
 *     all              m = d sum(u_i) / sum(c_i);  theta = theta - eta m / d,  d = sqrt(v) + epsilon
 * </pre>
 *
 * <p>with m and v, which all have alike, and c_i the weight of worker i's samples. A momentum
 * changes little from step to step, so little of it is left out. The paper sends it without the
 * division by d; an element with small gradients then gets its neighbours' magnitude, and divides
 * it by its own small d. Divided before, what travels are the steps themselves, which Adam makes
 * alike in size ({@code docs/exchange.md}, "Signs and 1-bit Adam", has figures).
 *
 * <p>An element that had no gradient while v was learnt, of a unit that did not fire, say, has next
 * to no d. Signs have no zero, so they move it and wake it up, and what it then gives, divided by
 * next to nothing, drowns the rest. So v has a floor: {@value #LEAST_OF_TENSOR} of the largest of
 * its tensor, and {@value #LEAST_OF_ALL} of the largest of all.
 *
 * <p>What the optimizer sees is the gradient
 *
 * <pre>
 *     sum(g_i) = (d sum(u_i) - b1 sum(c_i) m) / (1 - b1)
 * </pre>
 */
public final class OneBitAdam implements InsteadOfGradient {
    private static final double LEAST_OF_TENSOR = 1e-4;
    private static final double LEAST_OF_ALL = 1e-8;

    private final Replica replica;
    private final OptimizerSpec rule;
    private final Span updates;
    private final Span momentum;
    private final Span variance;
    private final long exactSteps;

    /** The divisor of the square root of the variance, as Adam has it. */
    private final double correction;

    /** Of the step under way, all workers together. */
    private double weightOfAll;

    private boolean isLearning;

    /**
     * Nothing travels yet.
     *
     * @param optimizer Adam, which holds m; its variance stays as it is after {@code exactSteps}
     * @param exactSteps first steps of the run that move anything, in which gradients travel
     */
    public OneBitAdam(Replica replica, Optimizer optimizer, OptimizerSpec rule, long exactSteps) {
        this.replica = replica;
        this.rule = rule;
        this.exactSteps = exactSteps;
        this.updates = moment(optimizer, "step");
        this.momentum = moment(optimizer, "exp_avg");
        this.variance = moment(optimizer, "exp_avg_sq");
        this.correction = Math.sqrt(1 - StrictMath.pow(rule.beta2(), (double) exactSteps));
        optimizer.learnVarianceFor(exactSteps);
    }

    private static Span moment(Optimizer optimizer, String name) {
        return optimizer.state().stream()
                .filter(state -> state.name().equals("optimizer." + name))
                .map(NamedSpan::data)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Adam alone has " + name));
    }

    @Override
    public void travelIn(Buckets buckets, Part part, DoubleSupplier weight) {
        isLearning = updates.buffer().getLong(0) < exactSteps;
        if (isLearning) {
            buckets.exactly();
            return;
        }
        if (updates.buffer().getLong(0) == exactSteps) {
            raiseVariance();
        }
        double own = weight.getAsDouble();
        buckets.changing(
                (offset, bytes) -> {
                    weightOfAll = buckets.unit();
                    replace(offset, bytes, own);
                });
    }

    /** To its floor. Twice is as good as once: no largest changes. */
    private void raiseVariance() {
        double least = LEAST_OF_ALL * Memory.largest(variance, type());
        for (Slot slot : replica.layout().slots()) {
            int element = type().bytes();
            Span of = variance.slice(slot.offset() * element, slot.count() * element);
            double floor = Math.max(least, LEAST_OF_TENSOR * Memory.largest(of, type()));
            Memory.combine(of, of, of, type(), (v, same) -> Math.max(v, floor));
        }
    }

    private void replace(long offsetBytes, long bytes, double own) {
        Span gradient = replica.gradients().slice(offsetBytes, bytes);
        Span before = momentum.slice(offsetBytes, bytes);
        Span squares = variance.slice(offsetBytes, bytes);
        double kept = rule.beta1() * own;
        double fresh = 1 - rule.beta1();
        Memory.combine(before, gradient, gradient, type(), (m, g) -> kept * m + fresh * g);
        Memory.combine(squares, gradient, gradient, type(), (v, u) -> u / divisor(v));
    }

    private double divisor(double v) {
        return Math.sqrt(v) / correction + rule.epsilon();
    }

    @Override
    public void summed(Part part, Tail tail) {
        if (!isLearning) {
            Span sum = replica.gradients();
            double kept = rule.beta1() * weightOfAll;
            double fresh = 1 - rule.beta1();
            Memory.combine(variance, sum, sum, type(), (v, u) -> u * divisor(v));
            Memory.combine(momentum, sum, sum, type(), (m, u) -> (u - kept * m) / fresh);
        }
    }

    private ElementType type() {
        return replica.layout().type();
    }
}
