package dev.medley.loop.monitor;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Holds order statistics of a column's reference rows as borders of blocks, with the numbers of
 * gaps between neighbouring values that lie in each block.
 *
 * <p>A further row of the same source falls into each gap between the sorted rows with the same
 * probability, whatever the distribution (Wilks 1942). So the ranks of the borders, which are fixed
 * before anything is seen, say all about the blocks that a test needs, and exactly: the reference
 * is a sample, never the truth. Equal values are put in order by a drawn number each.
 *
 * @param borders ascending; of equal ones that with the smaller draw first
 * @param draws of each border
 * @param gaps of the blocks below, between and above the borders, one more than these
 * @param present rows with a value, of all rows; ranks may be those of a sample
 * @param missing rows without one
 */
public record NumberReference(
        List<Double> borders, List<Double> draws, List<Long> gaps, long present, long missing) {
    /** More borders make ranks finer; each costs 24 bytes and a little time a row. */
    private static final int MOST_BORDERS = 200;

    /** So that a monitor with the same seed draws other numbers. */
    private static final long TIES = 0x71E5;

    /** At least one border. */
    public NumberReference {
        borders = List.copyOf(borders);
        draws = List.copyOf(draws);
        gaps = List.copyOf(gaps);
        ConfigException.check(
                !borders.isEmpty()
                        && borders.size() == draws.size()
                        && gaps.size() == borders.size() + 1,
                "%d borders, %d draws and %d blocks of a reference: it needs one border, as many"
                        + " draws and one block more",
                borders.size(),
                draws.size(),
                gaps.size());
    }

    /**
     * The reference of a column of which all rows, or an even sample of them, are given; NaN is a
     * missing value, and so is an infinite one.
     */
    public static NumberReference of(double[] values, long seed) {
        int[] present =
                IntStream.range(0, values.length).filter(i -> Double.isFinite(values[i])).toArray();
        ConfigException.check(
                present.length > 0,
                "the reference has no numbers (%d rows, all missing or infinite): watch its share"
                        + " of missing values alone",
                values.length);
        Draws drawn = new Draws(Seeds.of(seed, TIES), 0);
        double[] ties = new double[values.length];
        for (int i : present) {
            ties[i] = drawn.next();
        }
        int[] order =
                IntStream.of(present)
                        .boxed()
                        .sorted(
                                Comparator.<Integer>comparingDouble(i -> values[i] + 0.0)
                                        .thenComparingDouble(i -> ties[i]))
                        .mapToInt(i -> i)
                        .toArray();
        List<Double> borders = new ArrayList<>();
        List<Double> draws = new ArrayList<>();
        List<Long> gaps = new ArrayList<>();
        long last = 0;
        for (int rank : ranks(order.length)) {
            int row = order[rank - 1];
            borders.add(values[row] + 0.0);
            draws.add(ties[row]);
            gaps.add(rank - last);
            last = rank;
        }
        gaps.add(order.length + 1 - last);
        return new NumberReference(
                borders, draws, gaps, order.length, values.length - order.length);
    }

    /** The same ranks as a sample of rows, of which these numbers have a value and have none. */
    public NumberReference among(long allPresent, long allMissing) {
        return new NumberReference(borders, draws, gaps, allPresent, allMissing);
    }

    /** How many numbers the ranks are of. */
    public long size() {
        return gaps.stream().mapToLong(Long::longValue).sum() - 1;
    }

    /** Ranks from 1 of the borders: both ends, and evenly between them. */
    private static int[] ranks(int size) {
        int borders = Math.min(size, MOST_BORDERS);
        return IntStream.range(0, borders)
                .map(i -> 1 + (int) Math.round((double) i * (size - 1) / Math.max(1, borders - 1)))
                .distinct()
                .toArray();
    }
}
