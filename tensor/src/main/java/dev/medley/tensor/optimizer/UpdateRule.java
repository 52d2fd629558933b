package dev.medley.tensor.optimizer;

import dev.medley.tensor.FlatBuffer;
import java.util.List;

/** Applies an update; the gradient's content is lost. */
@FunctionalInterface
interface UpdateRule {
    void apply(
            OptimizerUpdate update,
            FlatBuffer parameters,
            FlatBuffer gradients,
            List<FlatBuffer> state);
}
