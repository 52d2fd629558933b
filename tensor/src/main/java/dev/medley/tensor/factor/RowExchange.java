package dev.medley.tensor.factor;

import dev.medley.base.memory.Span;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Lays out what the members of a group sum in a step: first the numbers of the rows that each of
 * them touches, then these rows' gradients. Each rank writes its row numbers where no other does,
 * two in a double, so that their sum is the list of all; then all know the same rows, and sum as
 * many gradients. A row number costs 4 bytes beside the 4 (rank + 1) of its gradient.
 */
public final class RowExchange {
    private static final double HIGH = 1L << 26;

    private final FactorLearner learner;
    private final List<Integer> shares;

    /** For a step in which ranks take so many samples. */
    public RowExchange(FactorLearner learner, List<Integer> shares) {
        this.learner = learner;
        this.shares = List.copyOf(shares);
    }

    /** Most bytes that a step of so many samples takes, however they are dealt out. */
    static long bytes(FactorLearner learner, int samples, int ranks) {
        long rows = learner.mostTouchedBy(samples, ranks);
        long distinct = Math.min(rows, learner.mostTouched(Integer.MAX_VALUE));
        return (doubles(rows) + ranks) * Double.BYTES + distinct * learner.stride() * Float.BYTES;
    }

    private static long doubles(long rows) {
        return (rows + 1) / 2;
    }

    /** Bytes of all ranks' row numbers. */
    public long numberBytes() {
        return first(shares.size()) * Double.BYTES;
    }

    private long first(int rank) {
        long before = 0;
        for (int r = 0; r < rank; r++) {
            before += doubles(learner.mostTouched(shares.get(r)));
        }
        return before;
    }

    /** Bytes of the gradients of so many rows. */
    public long gradientBytes(int rows) {
        return (long) rows * learner.stride() * Float.BYTES;
    }

    /** Writes the rows of one rank among zeros. */
    public void write(int rank, int[] rows) {
        Span memory = learner.exchange().slice(0, numberBytes());
        memory.clear();
        DoubleBuffer numbers = memory.buffer().asDoubleBuffer();
        int at = (int) first(rank);
        for (int i = 0; i < rows.length; i += 2) {
            double second = i + 1 < rows.length ? rows[i + 1] + 1 : 0;
            numbers.put(at++, second * HIGH + rows[i] + 1);
        }
    }

    /** The rows of all ranks, ascending and different, once what they wrote is summed. */
    public int[] union() {
        DoubleBuffer numbers = learner.exchange().slice(0, numberBytes()).buffer().asDoubleBuffer();
        int[] all = new int[2 * numbers.capacity()];
        int count = 0;
        for (int i = 0; i < numbers.capacity(); i++) {
            long pair = (long) numbers.get(i);
            int low = (int) (pair % (1L << 26));
            int high = (int) (pair >> 26);
            if (low > 0) {
                all[count++] = low - 1;
            }
            if (high > 0) {
                all[count++] = high - 1;
            }
        }
        int[] sorted = Arrays.copyOf(all, count);
        Arrays.sort(sorted);
        int distinct = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[distinct++] = sorted[i];
            }
        }
        return Arrays.copyOf(sorted, distinct);
    }

    /** Puts gradients of rows where they are summed. */
    public void put(float[] gradients) {
        gradients(gradients.length).put(gradients);
    }

    /** Takes what was summed. */
    public void get(float[] sums) {
        gradients(sums.length).get(sums);
    }

    private FloatBuffer gradients(int floats) {
        return learner.exchange()
                .slice(numberBytes(), (long) floats * Float.BYTES)
                .buffer()
                .asFloatBuffer();
    }
}
