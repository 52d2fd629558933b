package dev.medley.training.strategy;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import java.util.List;

/**
 * Makes the rule of the step that all workers take together. That is plain SGD, or with Nesterov's
 * momentum, or Adam along the mean change D (FedAdam: Reddi et al., ICLR 2021, arXiv 2003.00295):
 *
 * <pre>
 *     m = mu m + (1 - mu) D;  v = 0.95 v + 0.05 D^2
 *     theta = theta - eta (m / (1 - mu^t)) / (sqrt(v / (1 - 0.95^t)) + 0.1)
 * </pre>
 *
 * <p>The large epsilon is what keeps the step small where changes are small: changes of rounds are
 * no gradients, and v is a poor guess of their spread after few of them.
 */
public final class CommonRule {
    private static final String OUTER = "outer.";

    private static final double BETA2 = 0.95;
    private static final double EPSILON = 0.1;

    private CommonRule() {}

    /** In plain Java: equal on all members. */
    public static Optimizer of(Replica replica, RoundSpec round) {
        Optimizer rule = replica.uniformOptimizer(spec(round));
        rule.setArithmetic(Arithmetic.STRICT);
        return rule;
    }

    private static OptimizerSpec spec(RoundSpec round) {
        double momentum = round.outerMomentum();
        double rate = round.outerRate();
        return round.outer() == RoundSpec.Outer.ADAM
                ? new OptimizerSpec(
                        OptimizerSpec.Kind.ADAM, rate, 0, false, momentum, BETA2, EPSILON, 0)
                : new OptimizerSpec(
                        OptimizerSpec.Kind.SGD, rate, momentum, momentum > 0, 0.9, 0.999, 1e-8, 0);
    }

    /** Its state, under the names that it has in checkpoints. */
    public static List<NamedSpan> state(Optimizer rule) {
        return rule.state().stream()
                .map(s -> new NamedSpan(OUTER + s.name(), s.type(), s.shape(), s.data()))
                .toList();
    }
}
