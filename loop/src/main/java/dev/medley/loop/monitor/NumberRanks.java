package dev.medley.loop.monitor;

import java.util.Arrays;
import java.util.List;

/**
 * Ranks each number among all before it, the reference's and those seen since: evenly spread over
 * [0, 1] and independent of each other as long as nothing changes, exactly, for any distribution.
 *
 * <p>Of the rows before it knows how many gaps each block has. A row that falls into a block cuts
 * one of its gaps in two. That is Polya's urn, which needs no more than these counts.
 */
final class NumberRanks {
    private final double[] borders;
    private final double[] ties;
    private final long[] gaps;
    private final Draws draws;
    private final NumberReference reference;
    private long total;

    NumberRanks(NumberReference reference, Draws draws) {
        this.borders = doubles(reference.borders());
        this.ties = doubles(reference.draws());
        this.gaps = reference.gaps().stream().mapToLong(Long::longValue).toArray();
        this.draws = draws;
        this.reference = reference;
        this.total = reference.size() + 1;
    }

    /** The rank of the next number. */
    double next(double value) {
        int block = block(value + 0.0, draws.next());
        long below = 0;
        for (int i = 0; i < block; i++) {
            below += gaps[i];
        }
        double rank = (below + draws.next() * gaps[block]) / total;
        gaps[block]++;
        total++;
        return rank;
    }

    /** The first border that is not below the value says the block. */
    private int block(double value, double tie) {
        int low = 0;
        int high = borders.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            boolean isBelow =
                    borders[middle] < value || (borders[middle] == value && ties[middle] < tie);
            if (isBelow) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** The reference with what was seen since, to go on from. */
    NumberReference seen(long present, long missing) {
        return new NumberReference(
                reference.borders(),
                reference.draws(),
                Arrays.stream(gaps).boxed().toList(),
                present,
                missing);
    }

    private static double[] doubles(List<Double> list) {
        return list.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
