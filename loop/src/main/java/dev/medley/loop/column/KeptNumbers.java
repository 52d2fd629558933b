package dev.medley.loop.column;

import dev.medley.base.ConfigException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * An even sample of the numbers of a column: those with the smallest marks, which are drawn by part
 * and row. Which ones hangs on the rows alone, not on the order in which parts are put together. A
 * sample serves a monitor as its reference, which a sketch of quantiles could not.
 *
 * @param limit the most that are kept
 * @param marks ascending, as unsigned numbers
 * @param values beside the marks
 */
public record KeptNumbers(int limit, List<Long> marks, List<Double> values) {
    /** As many marks as values, not above the limit. */
    public KeptNumbers {
        marks = List.copyOf(marks);
        values = List.copyOf(values);
        ConfigException.check(
                marks.size() == values.size() && marks.size() <= limit,
                "%d marks and %d values of a sample of at most %d rows: the numbers do not fit",
                marks.size(),
                values.size(),
                limit);
    }

    /** The sample of both parts' rows. */
    public KeptNumbers merge(KeptNumbers other) {
        ConfigException.check(
                limit == other.limit,
                "samples of at most %d and %d rows cannot be put together: take one limit",
                limit,
                other.limit);
        List<Long> allMarks = new ArrayList<>(marks);
        allMarks.addAll(other.marks);
        List<Double> allValues = new ArrayList<>(values);
        allValues.addAll(other.values);
        int[] kept =
                IntStream.range(0, allMarks.size())
                        .boxed()
                        .sorted(Comparator.comparing(allMarks::get, Long::compareUnsigned))
                        .limit(limit)
                        .mapToInt(Integer::intValue)
                        .toArray();
        return new KeptNumbers(
                limit,
                IntStream.of(kept).mapToObj(allMarks::get).toList(),
                IntStream.of(kept).mapToObj(allValues::get).toList());
    }

    /** The numbers in ascending order. */
    public double[] sorted() {
        return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }
}
