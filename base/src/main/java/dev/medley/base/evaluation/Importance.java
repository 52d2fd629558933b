package dev.medley.base.evaluation;

import dev.medley.base.text.Units;
import java.util.List;
import java.util.Locale;

/**
 * The permutation importance of input columns (Breiman 2001; Fisher, Rudin and Dominici 2019): how
 * much worse the first metric becomes where a column's values are dealt anew among the samples. Of
 * columns that say the same each seems to matter little, since the other is left.
 *
 * @param metric that was looked at
 * @param value of it with all columns as they are
 * @param repeats how often each column was permuted
 * @param seed of the permutations
 * @param columns by falling importance
 */
public record Importance(String metric, double value, int repeats, long seed, List<Column> columns)
        implements EvaluationSection {
    public Importance {
        columns = List.copyOf(columns);
    }

    /**
     * The importance of a column.
     *
     * @param name as in the data
     * @param mean how much worse the metric became, over the repeats; below 0 where it became
     *     better, which is chance
     * @param deviation standard deviation over the repeats
     */
    public record Column(String name, double mean, double deviation) {}

    @Override
    public String title() {
        return "Importance of columns";
    }

    @Override
    public List<String> sentences() {
        return List.of(
                "How much worse %s (%s) becomes where a column is permuted: mean and deviation of %d."
                        .formatted(metric, Units.metric(value), repeats));
    }

    /** Four decimals where they say anything of the most important. */
    private static String digits(double value, double most) {
        return most >= 1e-3 ? String.format(Locale.ROOT, "%.4f", value) : Units.metric(value);
    }

    @Override
    public List<ReportTable> tables() {
        double most = Math.max(1e-300, columns.stream().mapToDouble(Column::mean).max().orElse(0));
        return List.of(
                new ReportTable(
                        "Permutation importance",
                        List.of("column", metric + " worse by", "deviation"),
                        columns.stream()
                                .map(
                                        c ->
                                                List.of(
                                                        c.name(),
                                                        digits(c.mean(), most),
                                                        digits(c.deviation(), most)))
                                .toList(),
                        ReportTable.Look.BARS,
                        columns.stream()
                                .map(c -> List.of(Math.max(0, c.mean() / most), 0.0))
                                .toList()));
    }
}
