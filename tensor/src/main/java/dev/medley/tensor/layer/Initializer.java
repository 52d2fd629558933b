package dev.medley.tensor.layer;

import dev.medley.base.memory.HostArray;
import java.nio.DoubleBuffer;
import java.util.random.RandomGenerator;

/**
 * Draws the initial values of a parameter: one draw for each element, in row-major order. Only
 * exactly specified arithmetic is used, so that a seed gives the same parameters on every machine.
 */
@FunctionalInterface
public interface Initializer {
    /** The next element. */
    double draw(RandomGenerator random);

    /** Always the same value. */
    static Initializer constant(double value) {
        return random -> value;
    }

    /** -1 or 1, as often. */
    static Initializer sign() {
        return random -> random.nextDouble() < 0.5 ? -1 : 1;
    }

    /** These values, FLOAT64, one after the other, and again from the first. */
    static Initializer values(HostArray values) {
        DoubleBuffer all = values.data().buffer().asDoubleBuffer();
        return random -> {
            if (!all.hasRemaining()) {
                all.rewind();
            }
            return all.get();
        };
    }

    /** Evenly between {@code -bound} and {@code bound}. */
    static Initializer uniform(double bound) {
        return random -> (2 * random.nextDouble() - 1) * bound;
    }

    /** A normal distribution around 0, by the polar method (Marsaglia, Bray 1964). */
    static Initializer normal(double deviation) {
        return random -> {
            while (true) {
                double u = 2 * random.nextDouble() - 1;
                double v = 2 * random.nextDouble() - 1;
                double square = u * u + v * v;
                if (square > 0 && square < 1) {
                    return deviation * u * StrictMath.sqrt(-2 * StrictMath.log(square) / square);
                }
            }
        };
    }

    /**
     * PyTorch's start of weights and biases of linear layers and convolutions: {@code
     * kaiming_uniform(a = sqrt(5))}, which is evenly within 1 / sqrt(fan-in) (He et al. 2015).
     *
     * @param fanIn inputs of one output
     */
    static Initializer byFanIn(long fanIn) {
        return uniform(1 / StrictMath.sqrt((double) Math.max(1, fanIn)));
    }

    /**
     * The start of convolutions before ReLU: {@code kaiming_normal(fan_out)}, which is normal with
     * deviation sqrt(2 / fan-out) (He et al. 2015).
     *
     * @param fanOut outputs that one input goes into
     */
    static Initializer byFanOut(long fanOut) {
        return normal(StrictMath.sqrt(2.0 / fanOut));
    }
}
