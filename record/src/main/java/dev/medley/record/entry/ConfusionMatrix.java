package dev.medley.record.entry;

import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
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

    /** The matrix as a table, a row for each true class. */
    public TextTable table() {
        TextTable table = new TextTable().column("true, taken for", Align.LEFT);
        classes.forEach(name -> table.column(name, Align.RIGHT));
        for (int truth = 0; truth < rows.size(); truth++) {
            List<String> cells = new ArrayList<>(List.of(classes.get(truth)));
            rows.get(truth).forEach(count -> cells.add(spoken(count)));
            table.row(cells);
        }
        return table;
    }

    /** A count without decimals; weights with those that they have. */
    public static String spoken(double count) {
        return count == Math.rint(count)
                ? Units.count(Math.round(count))
                : String.format(Locale.ROOT, "%,.2f", count);
    }
}
