package dev.medley.training.strategy;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.RoundSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import java.util.List;

/** The rule of the step that all take together: plain SGD, or with Nesterov's momentum. */
final class CommonRule {
    private static final String OUTER = "outer.";

    private CommonRule() {}

    /** In plain Java: equal on all members. */
    static Optimizer of(Replica replica, RoundSpec round) {
        double momentum = round.outerMomentum();
        OptimizerSpec spec =
                new OptimizerSpec(
                        OptimizerSpec.Kind.SGD,
                        round.outerRate(),
                        momentum,
                        momentum > 0,
                        0.9,
                        0.999,
                        1e-8,
                        0);
        Optimizer rule = replica.uniformOptimizer(spec);
        rule.setArithmetic(Arithmetic.STRICT);
        return rule;
    }

    /** Its state, under the names that it has in checkpoints. */
    static List<NamedSpan> state(Optimizer rule) {
        return rule.state().stream()
                .map(s -> new NamedSpan(OUTER + s.name(), s.type(), s.shape(), s.data()))
                .toList();
    }
}
