package dev.medley.loop.watch;

import dev.medley.loop.column.CategoryProfile;
import dev.medley.loop.column.NumberProfile;
import dev.medley.loop.damage.ColumnDamage;
import dev.medley.loop.drift.Bins;
import dev.medley.loop.drift.NumberSample;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps how large a model's losses were on rows that judged it, by bins of one column: as many rows
 * in each bin of numbers, one bin for each frequent category. The last two bins are those of other
 * categories and of rows without a value.
 *
 * @param edges between bins of numbers, ascending; empty for categories
 * @param labels of categories; empty for numbers
 * @param rows by bin
 * @param losses sums by bin
 * @param squares sums of squares by bin
 */
public record ColumnLosses(
        String column,
        List<Double> edges,
        List<String> labels,
        List<Long> rows,
        List<Double> losses,
        List<Double> squares) {
    private static final int BINS = 10;
    private static final int LABELS = 50;

    public ColumnLosses {
        edges = List.copyOf(edges);
        labels = List.copyOf(labels);
        rows = List.copyOf(rows);
        losses = List.copyOf(losses);
        squares = List.copyOf(squares);
    }

    /** Of a column of numbers; NaN is a missing value. */
    public static ColumnLosses of(String column, double[] values, double[] losses) {
        NumberSample sample = NumberSample.of(values);
        double[] edges =
                sample.size() == 0
                        ? new double[0]
                        : DoubleStream.of(Bins.quantiles(sample, BINS).edges())
                                .filter(Double::isFinite)
                                .toArray();
        return counted(
                column,
                DoubleStream.of(edges).boxed().toList(),
                List.of(),
                edges.length + 1,
                row -> bin(edges, values[row]),
                losses);
    }

    /** Of a column of categories; null is a missing value. */
    public static ColumnLosses of(String column, List<@Nullable String> values, double[] losses) {
        Map<String, Long> counts = new HashMap<>();
        for (String value : values) {
            if (value != null) {
                counts.merge(value, 1L, Long::sum);
            }
        }
        List<String> labels =
                counts.entrySet().stream()
                        .sorted(
                                Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                                        .thenComparing(Map.Entry.comparingByKey()))
                        .limit(LABELS)
                        .map(Map.Entry::getKey)
                        .toList();
        Map<String, Integer> places = new HashMap<>();
        labels.forEach(label -> places.put(label, places.size()));
        return counted(
                column,
                List.of(),
                labels,
                labels.size(),
                row -> {
                    String value = values.get(row);
                    return value == null
                            ? labels.size() + 1
                            : places.getOrDefault(value, labels.size());
                },
                losses);
    }

    private static ColumnLosses counted(
            String column,
            List<Double> edges,
            List<String> labels,
            int bins,
            IntUnaryOperator binOf,
            double[] losses) {
        long[] rows = new long[bins + 2];
        double[] sums = new double[bins + 2];
        double[] squares = new double[bins + 2];
        for (int row = 0; row < losses.length; row++) {
            int bin = binOf.applyAsInt(row);
            rows[bin]++;
            sums[bin] += losses[row];
            squares[bin] += losses[row] * losses[row];
        }
        return new ColumnLosses(
                column,
                edges,
                labels,
                LongStream.of(rows).boxed().toList(),
                DoubleStream.of(sums).boxed().toList(),
                DoubleStream.of(squares).boxed().toList());
    }

    private static int bin(double[] edges, double value) {
        if (!Double.isFinite(value)) {
            return edges.length + 2;
        }
        int place = Arrays.binarySearch(edges, value);
        return place >= 0 ? place + 1 : -place - 1;
    }

    /** What the rows of now cost, were it for this column alone. Of both there are some. */
    ColumnDamage damage(KeptColumn now) {
        NumberProfile numbers = now.numbers();
        long[] counts = numbers != null ? counts(numbers) : counts(now.ofCategories());
        counts[counts.length - 1] = now.missing();
        return ColumnDamage.of(
                column,
                rows.stream().mapToLong(Long::longValue).toArray(),
                losses.stream().mapToDouble(Double::doubleValue).toArray(),
                squares.stream().mapToDouble(Double::doubleValue).toArray(),
                counts);
    }

    /** Of a sample there are as many as its shares make of all rows. */
    private long[] counts(NumberProfile now) {
        double[] inner = edges.stream().mapToDouble(Double::doubleValue).toArray();
        long[] counts = new long[rows.size()];
        List<Double> sample = now.sample().values();
        for (double value : sample) {
            counts[bin(inner, value)]++;
        }
        double times = sample.isEmpty() ? 0 : (double) now.count() / sample.size();
        return LongStream.of(counts).map(count -> Math.round(count * times)).toArray();
    }

    private long[] counts(CategoryProfile now) {
        long[] counts = new long[rows.size()];
        long others = now.count();
        List<String> places = new ArrayList<>(labels);
        for (int place = 0; place < places.size(); place++) {
            counts[place] = now.top().getOrDefault(places.get(place), 0L);
            others -= counts[place];
        }
        counts[places.size()] = others;
        return counts;
    }
}
