package dev.medley.tensor.optimizer;

import dev.medley.tensor.FlatBuffer;
import dev.medley.tensor.Functional;
import dev.medley.tensor.MemoryScope;

/**
 * Computes the squared length of a flat gradient, as a double sum over stretches. It is not finite
 * where an element is not finite. LibTorch sums each stretch in the gradient's own type: in float32
 * the result is not finite either where a stretch is longer than 1.8e19.
 */
public final class GradientNorm {
    private static final int STRETCH = 1 << 16;

    private GradientNorm() {}

    /** By LibTorch, or in plain Java in a fixed order. */
    public static double squared(FlatBuffer gradients, Arithmetic arithmetic) {
        return squared(gradients, 0, gradients.tensor().count(), arithmetic);
    }

    /** The same of {@code elements} elements from {@code first}. */
    public static double squared(
            FlatBuffer gradients, long first, long elements, Arithmetic arithmetic) {
        return arithmetic == Arithmetic.LIBTORCH
                ? byLibTorch(gradients, first, first + elements)
                : strict(gradients, first, first + elements);
    }

    private static double byLibTorch(FlatBuffer gradients, long first, long end) {
        double sum = 0;
        try (MemoryScope scope = MemoryScope.open()) {
            for (long from = first; from < end; from += STRETCH) {
                long count = Math.min(STRETCH, end - from);
                sum += Functional.squaredNorm(gradients.slice(from, count));
            }
        }
        return sum;
    }

    private static double strict(FlatBuffer gradients, long first, long end) {
        StrictMemory memory = new StrictMemory(gradients);
        double[] values = new double[STRETCH];
        double sum = 0;
        for (long from = first; from < end; from += STRETCH) {
            int count = (int) Math.min(STRETCH, end - from);
            memory.read(from, values, count);
            double part = 0;
            for (int i = 0; i < count; i++) {
                part += values[i] * values[i];
            }
            sum += part;
        }
        return sum;
    }
}
