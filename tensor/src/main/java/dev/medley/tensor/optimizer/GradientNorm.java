package dev.medley.tensor.optimizer;

import dev.medley.tensor.FlatBuffer;
import dev.medley.tensor.Functional;
import dev.medley.tensor.MemoryScope;

/**
 * The squared length of a flat gradient: a double sum over stretches. It is not finite exactly if
 * an element is not finite or the gradient is longer than 1e19.
 */
public final class GradientNorm {
    private static final int STRETCH = 1 << 16;

    private GradientNorm() {}

    /** By LibTorch, or in plain Java in a fixed order. */
    public static double squared(FlatBuffer gradients, Arithmetic arithmetic) {
        return arithmetic == Arithmetic.LIBTORCH ? byLibTorch(gradients) : strict(gradients);
    }

    private static double byLibTorch(FlatBuffer gradients) {
        long elements = gradients.tensor().count();
        double sum = 0;
        try (MemoryScope scope = MemoryScope.open()) {
            for (long from = 0; from < elements; from += STRETCH) {
                long count = Math.min(STRETCH, elements - from);
                sum += Functional.squaredNorm(gradients.slice(from, count));
            }
        }
        return sum;
    }

    private static double strict(FlatBuffer gradients) {
        StrictMemory memory = new StrictMemory(gradients);
        long elements = gradients.tensor().count();
        double[] values = new double[STRETCH];
        double sum = 0;
        for (long from = 0; from < elements; from += STRETCH) {
            int count = (int) Math.min(STRETCH, elements - from);
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
