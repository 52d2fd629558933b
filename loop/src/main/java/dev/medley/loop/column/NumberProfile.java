package dev.medley.loop.column;

import dev.medley.base.Seeds;
import dev.medley.loop.drift.NumberSample;
import dev.medley.loop.monitor.NumberReference;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Holds what is known of a column of numbers, of all rows but for the sample.
 *
 * @param count rows with a finite number
 * @param missing rows without a value
 * @param infinite rows with an infinite one
 * @param squares sum of squared distances from the mean
 * @param least 0 where there are no numbers, as is the most
 * @param sample of the finite numbers, for quantiles
 */
public record NumberProfile(
        long count,
        long missing,
        long infinite,
        double mean,
        double squares,
        double least,
        double most,
        KeptNumbers sample) {
    /** Rows that are kept in a sample, of which a rank is right to about 0.8 %. */
    public static final int USUAL_LIMIT = 4096;

    /**
     * Of the next rows of a part of a table.
     *
     * @param part a number that no other part of the column has
     * @param firstRow how many rows of the part were before these
     */
    public static NumberProfile of(double[] rows, long part, long firstRow, int limit) {
        double[] finite = Arrays.stream(rows).filter(Double::isFinite).toArray();
        long missing = Arrays.stream(rows).filter(Double::isNaN).count();
        double mean = finite.length == 0 ? 0 : Arrays.stream(finite).sum() / finite.length;
        double squares = Arrays.stream(finite).map(v -> (v - mean) * (v - mean)).sum();
        KeptNumbers all =
                new KeptNumbers(
                        Integer.MAX_VALUE,
                        IntStream.range(0, rows.length)
                                .filter(i -> Double.isFinite(rows[i]))
                                .mapToObj(i -> Seeds.of(part, firstRow + i))
                                .toList(),
                        Arrays.stream(finite).boxed().toList());
        KeptNumbers kept = all.merge(new KeptNumbers(Integer.MAX_VALUE, List.of(), List.of()));
        int size = Math.min(limit, finite.length);
        return new NumberProfile(
                finite.length,
                missing,
                rows.length - finite.length - missing,
                mean,
                squares,
                Arrays.stream(finite).min().orElse(0),
                Arrays.stream(finite).max().orElse(0),
                new KeptNumbers(
                        limit, kept.marks().subList(0, size), kept.values().subList(0, size)));
    }

    /** Of no rows: where putting together begins. */
    public static NumberProfile none(int limit) {
        return new NumberProfile(0, 0, 0, 0, 0, 0, 0, new KeptNumbers(limit, List.of(), List.of()));
    }

    /** Of both parts' rows; moments by Chan, Golub and LeVeque (1979). */
    public NumberProfile merge(NumberProfile other) {
        long all = count + other.count;
        double away = other.mean - mean;
        double share = all == 0 ? 0 : (double) other.count / all;
        return new NumberProfile(
                all,
                missing + other.missing,
                infinite + other.infinite,
                mean + away * share,
                squares + other.squares + away * away * count * share,
                count == 0 ? other.least : other.count == 0 ? least : Math.min(least, other.least),
                count == 0 ? other.most : other.count == 0 ? most : Math.max(most, other.most),
                sample.merge(other.sample));
    }

    /** Over the numbers, not an estimate of a population; 0 where there are none. */
    public double deviation() {
        return count == 0 ? 0 : Math.sqrt(squares / count);
    }

    /** The quantile of the sample. An error where there are no numbers. */
    public double quantile(double share) {
        return numbers().quantile(share);
    }

    /** The sample, for statistics of drift. */
    public NumberSample numbers() {
        return NumberSample.of(sample.sorted());
    }

    /**
     * What a monitor compares with: the sample's ranks, and the missing and infinite rows of all.
     */
    public NumberReference reference(long seed) {
        return NumberReference.of(sample.sorted(), seed).among(count, missing + infinite);
    }
}
