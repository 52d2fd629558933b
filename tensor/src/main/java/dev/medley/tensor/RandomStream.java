package dev.medley.tensor;

import org.bytedeco.pytorch.Generator;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/**
 * Draws LibTorch's random numbers from one seed. The same seed and the same sequence of draws give
 * the same values. Belongs to one thread; seeded when it is first drawn from, so that a pass
 * without dropout pays nothing.
 */
public final class RandomStream {
    /** For passes that draw nothing. */
    public static final RandomStream NONE = new RandomStream();

    private @Nullable Generator generator;
    private long seed;
    private boolean isSeeded;

    /** A stream that is not seeded yet. */
    public RandomStream() {}

    /** Starts again: what is drawn from here on depends on {@code seed} alone. */
    public void restart(long seed) {
        this.seed = seed;
        isSeeded = false;
    }

    /** What the draws from here on depend on. */
    long seed() {
        return seed;
    }

    /** Frees the native state. */
    public void release() {
        if (generator != null) {
            generator.releaseReference();
            generator = null;
        }
    }

    Generator generator() {
        if (this == NONE) {
            throw new IllegalStateException("an evaluation draws nothing at random");
        }
        if (generator == null) {
            generator = torch.make_generator_cpu();
            generator.retainReference();
        }
        if (!isSeeded) {
            generator.set_current_seed(seed);
            isSeeded = true;
        }
        return generator;
    }
}
