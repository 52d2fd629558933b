package dev.medley.fleet.learning;

import dev.medley.base.memory.NamedSpan;
import java.nio.FloatBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Computes what {@link DuelingNetwork} does from weights, in plain Java: a decision needs no
 * LibTorch, and the same weights give the same bits everywhere.
 *
 * @param weights by name, row-major: {@code first.weight}, {@code first.bias} and so on
 */
public record ActionValues(int features, int width, int actions, Map<String, float[]> weights) {
    public ActionValues {
        // In an order of its own, so that files repeat.
        weights = Collections.unmodifiableMap(new TreeMap<>(weights));
        require(weights, "first.weight", features * width);
        require(weights, "first.bias", width);
        require(weights, "second.weight", width * width);
        require(weights, "second.bias", width);
        require(weights, "value.weight", width);
        require(weights, "value.bias", 1);
        require(weights, "advantage.weight", width * actions);
        require(weights, "advantage.bias", actions);
    }

    /** The weights of a network as they are now. */
    static ActionValues of(int features, int width, int actions, List<NamedSpan> arrays) {
        Map<String, float[]> weights = new HashMap<>();
        for (NamedSpan array : arrays) {
            FloatBuffer buffer = array.data().buffer().asFloatBuffer();
            float[] values = new float[buffer.remaining()];
            buffer.get(values);
            weights.put(array.name(), values);
        }
        return new ActionValues(features, width, actions, weights);
    }

    private static void require(Map<String, float[]> weights, String name, int count) {
        float[] found = weights.get(name);
        if (found == null || found.length != count) {
            throw new IllegalArgumentException(
                    "%s has %s numbers, not %d"
                            .formatted(name, found == null ? "no" : found.length, count));
        }
    }

    /** The value of each action in a state. */
    public double[] of(double[] state) {
        double[] hidden = relu(layer("first", state, width));
        hidden = relu(layer("second", hidden, width));
        double value = layer("value", hidden, 1)[0];
        double[] advantages = layer("advantage", hidden, actions);
        double mean = 0;
        for (double advantage : advantages) {
            mean += advantage / actions;
        }
        for (int action = 0; action < actions; action++) {
            advantages[action] += value - mean;
        }
        return advantages;
    }

    /** The action of the highest value in a state; of equal ones the first. */
    public int best(double[] state) {
        return highest(of(state));
    }

    static int highest(double[] values) {
        int best = 0;
        for (int i = 1; i < values.length; i++) {
            best = values[i] > values[best] ? i : best;
        }
        return best;
    }

    private double[] layer(String name, double[] inputs, int outputs) {
        float[] weight = weights.get(name + ".weight");
        float[] bias = weights.get(name + ".bias");
        if (weight == null || bias == null) {
            throw new IllegalStateException("no layer " + name);
        }
        double[] out = new double[outputs];
        for (int row = 0; row < outputs; row++) {
            double sum = bias[row];
            for (int column = 0; column < inputs.length; column++) {
                sum += weight[row * inputs.length + column] * inputs[column];
            }
            out[row] = sum;
        }
        return out;
    }

    private static double[] relu(double[] values) {
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.max(0, values[i]);
        }
        return values;
    }
}
