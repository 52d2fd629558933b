package dev.medley.base;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Derives streams of random numbers from the run's seed and the names of their purposes. So a draw
 * depends on (seed, epoch, sample) and never on who makes it or what was drawn before. Mixing is
 * SplitMix64's finaliser (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
 * OOPSLA 2014).
 */
public final class Seeds {
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private Seeds() {}

    /** A seed for the purpose that {@code parts} name, far from that of any other parts. */
    public static long of(long seed, long... parts) {
        long mixed = mix(seed + GOLDEN_GAMMA);
        for (long part : parts) {
            mixed = mix(mixed ^ mix(part + GOLDEN_GAMMA));
        }
        return mixed;
    }

    /** A generator for one purpose; the only place where the product makes one. */
    public static RandomGenerator generator(long seed, long... parts) {
        return new SplittableRandom(of(seed, parts));
    }

    /**
     * SplitMix64's finaliser: a bijection of 64 bits in which every input bit moves about half of
     * the output bits.
     */
    public static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
