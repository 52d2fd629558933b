package dev.medley.base.evaluation;

import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import java.util.List;

/**
 * A table of a report, for a terminal and for a page. The first column names a row, the others are
 * figures.
 *
 * @param title what it shows
 * @param heads of the columns
 * @param rows with a cell for each column
 * @param look of cells on a page
 * @param parts from 0 to 1 for each cell but the first of each row, by which a page shades it or
 *     draws a bar; empty where {@code look} is plain
 */
public record ReportTable(
        String title,
        List<String> heads,
        List<List<String>> rows,
        Look look,
        List<List<Double>> parts) {
    /** The look of cells. */
    public enum Look {
        PLAIN,
        /** Darker the larger the part. */
        SHADED,
        /** A bar as long as the part. */
        BARS
    }

    public ReportTable {
        heads = List.copyOf(heads);
        rows = rows.stream().map(List::copyOf).toList();
        parts = parts.stream().map(List::copyOf).toList();
    }

    /** A table of plain cells. */
    public static ReportTable plain(String title, List<String> heads, List<List<String>> rows) {
        return new ReportTable(title, heads, rows, Look.PLAIN, List.of());
    }

    /** The table in plain text. */
    public String text() {
        TextTable table = new TextTable();
        for (int column = 0; column < heads.size(); column++) {
            table.column(heads.get(column), column == 0 ? Align.LEFT : Align.RIGHT);
        }
        rows.forEach(table::row);
        return table.text();
    }
}
