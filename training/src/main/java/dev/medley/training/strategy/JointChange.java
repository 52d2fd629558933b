package dev.medley.training.strategy;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.bucket.Buckets;

/**
 * Lets a change of the parameters travel in the gradient's place, and takes the plain step along
 * its sum.
 */
public final class JointChange {
    private JointChange() {}

    /** Subtracts the summed change, in plain Java: equal on all members. */
    public static Optimizer optimizer(Replica replica) {
        OptimizerSpec plain =
                new OptimizerSpec(OptimizerSpec.Kind.SGD, 1, 0, false, 0.9, 0.999, 1e-8, 0);
        Optimizer optimizer = replica.uniformOptimizer(plain);
        optimizer.setArithmetic(Arithmetic.STRICT);
        return optimizer;
    }

    /** Lets all buckets leave. */
    public static void offer(Replica replica, Buckets buckets) {
        for (int slot = replica.layout().slots().size() - 1; slot >= 0; slot--) {
            buckets.ready(slot);
        }
    }
}
