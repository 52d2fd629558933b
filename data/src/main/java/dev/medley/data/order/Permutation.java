package dev.medley.data.order;

import dev.medley.base.Seeds;
import java.util.random.RandomGenerator;

/**
 * Computes a seeded permutation of [0, n), one value at a time and without memory that grows with
 * n.
 *
 * <p>Small ones are shuffled (Fisher-Yates). Large ones are a generalised Feistel network over the
 * rectangle a x b that just holds n, walked until it lands inside (Black, Rogaway: Ciphers with
 * Arbitrary Finite Domains, CT-RSA 2002); 8 rounds of SplitMix64's finaliser. The rectangle is at
 * most about 2 sqrt(n) too large, so that a walk nearly always has one step.
 */
public final class Permutation {
    private static final int TABLE_LIMIT = 1 << 10;
    private static final int ROUNDS = 8;

    private final long size;
    private final int[] table;
    private final long[] keys = new long[ROUNDS];
    private final long rows;
    private final long columns;

    /** A permutation of {@code size} numbers from 0 that the seed determines. */
    public Permutation(long size, long seed) {
        this.size = size;
        this.table = size <= TABLE_LIMIT ? shuffled((int) size, seed) : new int[0];
        for (int round = 0; round < ROUNDS; round++) {
            keys[round] = Seeds.of(seed, round);
        }
        rows = Math.max(1, (long) Math.ceil(Math.sqrt((double) size)));
        columns = (size + rows - 1) / rows;
    }

    /** The value at {@code index}. */
    public long at(long index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException("index " + index + " of " + size);
        }
        if (table.length > 0) {
            return table[(int) index];
        }
        long value = encipher(index);
        while (value >= size) {
            value = encipher(value);
        }
        return value;
    }

    private long encipher(long value) {
        long left = value / columns;
        long right = value % columns;
        for (int round = 0; round < ROUNDS; round += 2) {
            left = add(left, draw(keys[round], right, rows), rows);
            right = add(right, draw(keys[round + 1], left, columns), columns);
        }
        return left * columns + right;
    }

    private static long add(long a, long b, long modulus) {
        long sum = a + b;
        return sum >= modulus ? sum - modulus : sum;
    }

    /** In [0, range): the upper 31 bits of a mix, scaled; ranges are below 2^32. */
    private static long draw(long key, long value, long range) {
        return ((Seeds.mix(key ^ value) >>> 33) * range) >>> 31;
    }

    private static int[] shuffled(int size, long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int[] values = new int[size];
        for (int i = 0; i < size; i++) {
            int j = random.nextInt(i + 1);
            values[i] = values[j];
            values[j] = i;
        }
        return values;
    }
}
