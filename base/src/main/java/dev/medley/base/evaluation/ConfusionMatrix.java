package dev.medley.base.evaluation;

import dev.medley.base.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The counts of what the samples of each class were taken for.
 *
 * @param classes in order
 * @param rows of each true class, in that order, what its samples were taken for: how many, or what
 *     they weigh
 */
public record ConfusionMatrix(List<String> classes, List<List<Double>> rows) {
    public ConfusionMatrix {
        classes = List.copyOf(classes);
        rows = rows.stream().map(List::copyOf).toList();
        int size = classes.size();
        if (rows.size() != size || rows.stream().anyMatch(row -> row.size() != size)) {
            throw new IllegalArgumentException(
                    "a row and a column for each of %d classes, not %d rows of %s"
                            .formatted(size, rows.size(), rows.stream().map(List::size).toList()));
        }
    }

    /** Of these classes; those that have no names are called by their numbers. */
    public static ConfusionMatrix of(List<String> names, List<List<Double>> rows) {
        boolean areNamed = names.size() == rows.size();
        return new ConfusionMatrix(
                areNamed
                        ? names
                        : IntStream.range(0, rows.size()).mapToObj(Integer::toString).toList(),
                rows);
    }

    /** What the samples of a class weigh. */
    double support(int truth) {
        return rows.get(truth).stream().mapToDouble(Double::doubleValue).sum();
    }

    /** What the samples weigh that are taken for a class. */
    double takenFor(int predicted) {
        return rows.stream().mapToDouble(row -> row.get(predicted)).sum();
    }

    /** What those of them weigh that are of it. */
    double right(int either) {
        return rows.get(either).get(either);
    }

    /** The matrix as a table, a row for each true class, shaded by parts of the row. */
    ReportTable table() {
        List<String> heads = new ArrayList<>(List.of("true, taken for"));
        heads.addAll(classes);
        List<List<String>> cells = new ArrayList<>();
        List<List<Double>> parts = new ArrayList<>();
        for (int truth = 0; truth < rows.size(); truth++) {
            List<String> row = new ArrayList<>(List.of(classes.get(truth)));
            rows.get(truth).forEach(count -> row.add(spoken(count)));
            cells.add(row);
            double all = Math.max(1e-300, support(truth));
            parts.add(rows.get(truth).stream().map(count -> count / all).toList());
        }
        return new ReportTable(
                "What samples were taken for", heads, cells, ReportTable.Look.SHADED, parts);
    }

    /** A count without decimals; weights with those that they have. */
    public static String spoken(double count) {
        return count == Math.rint(count)
                ? Units.count(Math.round(count))
                : String.format(Locale.ROOT, "%,.2f", count);
    }
}
