package dev.medley.base.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Lays out a table in plain text: columns as wide as their widest cell, numbers to the right. Cells
 * without a value are empty.
 */
public final class TextTable {
    /** Where the cells of a column stand. */
    public enum Align {
        LEFT,
        RIGHT
    }

    private static final String GAP = "  ";
    private final List<String> heads = new ArrayList<>();
    private final List<Align> aligns = new ArrayList<>();
    private final List<List<String>> rows = new ArrayList<>();

    /** One more column; all before the first row. */
    public TextTable column(String head, Align align) {
        heads.add(head);
        aligns.add(align);
        return this;
    }

    /** One more row, with a cell for each column. */
    public TextTable row(List<String> cells) {
        if (cells.size() != heads.size()) {
            throw new IllegalArgumentException(
                    cells.size() + " cells for " + heads.size() + " columns: " + cells);
        }
        rows.add(List.copyOf(cells));
        return this;
    }

    /** The table, each line with a line feed. */
    public String text() {
        int[] widths = new int[heads.size()];
        StringBuilder text = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            widths[column] = width(heads.get(column));
            for (List<String> row : rows) {
                widths[column] = Math.max(widths[column], width(row.get(column)));
            }
        }
        boolean hasHeads = heads.stream().anyMatch(head -> !head.isEmpty());
        if (hasHeads) {
            append(text, heads, widths);
        }
        rows.forEach(row -> append(text, row, widths));
        return text.toString();
    }

    private void append(StringBuilder text, List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String cell = cells.get(column);
            String space = " ".repeat(widths[column] - width(cell));
            line.append(column == 0 ? "" : GAP);
            line.append(aligns.get(column) == Align.RIGHT ? space + cell : cell + space);
        }
        text.append(line.toString().stripTrailing()).append('\n');
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
