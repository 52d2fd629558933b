package dev.medley.fleet.trace;

/**
 * Draws the numbers that Python's {@code random.Random(seed)} draws, so that workloads which are
 * defined by a Python program can be drawn here: MT19937 (Matsumoto and Nishimura, 1998) with
 * {@code init_by_array}, 53 bits for a number.
 *
 * <p>Belongs to one thread.
 */
public final class PythonRandom {
    private static final int N = 624;
    private static final int M = 397;

    private final int[] state = new int[N];
    private int index = N;

    /**
     * @param seed of 0 or more
     */
    public PythonRandom(long seed) {
        if (seed < 0) {
            throw new IllegalArgumentException("a seed below 0: " + seed);
        }
        int[] key =
                seed >>> 32 == 0
                        ? new int[] {(int) seed}
                        : new int[] {(int) seed, (int) (seed >>> 32)};
        begin(19650218);
        int i = 1;
        int j = 0;
        for (int k = Math.max(N, key.length); k > 0; k--) {
            int before = state[i - 1] ^ (state[i - 1] >>> 30);
            state[i] = (state[i] ^ (before * 1664525)) + key[j] + j;
            i++;
            j++;
            if (i >= N) {
                state[0] = state[N - 1];
                i = 1;
            }
            j = j >= key.length ? 0 : j;
        }
        for (int k = N - 1; k > 0; k--) {
            int before = state[i - 1] ^ (state[i - 1] >>> 30);
            state[i] = (state[i] ^ (before * 1566083941)) - i;
            i++;
            if (i >= N) {
                state[0] = state[N - 1];
                i = 1;
            }
        }
        state[0] = 0x80000000;
    }

    private void begin(int seed) {
        state[0] = seed;
        for (int i = 1; i < N; i++) {
            state[i] = 1812433253 * (state[i - 1] ^ (state[i - 1] >>> 30)) + i;
        }
    }

    private int next() {
        if (index >= N) {
            for (int i = 0; i < N; i++) {
                int y = (state[i] & 0x80000000) | (state[(i + 1) % N] & 0x7fffffff);
                state[i] = state[(i + M) % N] ^ (y >>> 1) ^ ((y & 1) == 0 ? 0 : 0x9908b0df);
            }
            index = 0;
        }
        int y = state[index++];
        y ^= y >>> 11;
        y ^= (y << 7) & 0x9d2c5680;
        y ^= (y << 15) & 0xefc60000;
        return y ^ (y >>> 18);
    }

    /** {@code random()}: from 0 to below 1. */
    public double random() {
        long high = next() >>> 5;
        long low = next() >>> 6;
        return (high * 67108864.0 + low) / 9007199254740992.0;
    }

    /** {@code uniform(from, to)}. */
    public double uniform(double from, double to) {
        return from + (to - from) * random();
    }

    /** {@code randrange(bound)}, and the index of {@code choice}. */
    public int below(int bound) {
        int bits = 32 - Integer.numberOfLeadingZeros(bound);
        int drawn = next() >>> (32 - bits);
        while (drawn >= bound) {
            drawn = next() >>> (32 - bits);
        }
        return drawn;
    }
}
