package dev.medley.examples;

import dev.medley.tensor.Functional;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.loss.LossFunction;
import java.util.Map;

/**
 * Computes a hinge for two classes: the square of what is missing to a margin. Large errors count
 * more than with the usual hinge.
 */
public final class SquaredHinge implements LossFunction {
    private final double margin;

    /** Options come from the job file. */
    public SquaredHinge(Map<String, String> options) {
        margin = Double.parseDouble(options.getOrDefault("margin", "1"));
    }

    @Override
    public Tensor sum(Tensor outputs, Tensor target) {
        return each(outputs, target).sum();
    }

    @Override
    public Tensor each(Tensor outputs, Tensor target) {
        Tensor sign = target.times(2).plus(-1);
        Tensor missing = Functional.relu(outputs.reshape(-1).times(sign).times(-1).plus(margin));
        return missing.times(missing);
    }
}
