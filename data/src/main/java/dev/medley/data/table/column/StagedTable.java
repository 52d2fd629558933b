package dev.medley.data.table.column;

import dev.medley.data.table.csv.DecimalMark;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * A table of files that were loaded into DuckDB, in file order.
 *
 * @param name of the table
 * @param columns in file order
 * @param parts the files and their rows, in order
 */
public record StagedTable(String name, List<Column> columns, List<Part> parts) {
    public StagedTable {
        columns = List.copyOf(columns);
        parts = List.copyOf(parts);
    }

    /**
     * A column.
     *
     * @param name in the files, without spaces around it
     * @param form as what it is read
     * @param input the expression of its staged values, NULL where there is none
     * @param sql the expression that reads it: a DOUBLE, or a VARCHAR for texts
     * @param isText whether the values are staged as the texts that they are
     */
    public record Column(String name, ColumnForm form, String input, String sql, boolean isText) {
        /** A column of texts. */
        static Column ofText(String name, String text) {
            return new Column(name, ColumnForm.TEXT, text, text, true);
        }

        /** A column of numbers that the files have with their type. */
        static Column ofValue(String name, ColumnForm form, String id) {
            return new Column(name, form, id, id, false);
        }

        /** The expression of its values as texts. */
        public String text() {
            return isText ? input : "CAST(" + input + " AS VARCHAR)";
        }

        /** What it holds. */
        public ColumnKind kind() {
            return form.kind();
        }

        /** The same values, texts of which are read as {@code wanted}. */
        public Column as(ColumnForm wanted, DecimalMark decimal) {
            if (isText) {
                return new Column(name, wanted, input, wanted.sql(input, decimal), true);
            } else if (wanted.kind() == ColumnKind.BOOLEAN && kind() == ColumnKind.NUMBER) {
                String text = text();
                return new Column(name, wanted, text, wanted.sql(text, decimal), true);
            }
            return this;
        }
    }

    /**
     * One file's rows.
     *
     * @param file they came from
     * @param firstRow its first row in the table
     * @param lines the line of each of its rows, counted from 0; 0 where lines mean nothing
     */
    public record Part(Path file, long firstRow, LongUnaryOperator lines) {}

    /** The column of that name, as the file spells it. */
    public Optional<Column> column(String wanted) {
        return columns.stream().filter(c -> c.name().equals(wanted)).findFirst();
    }

    /** The names of all columns, in the order of the file. */
    public List<String> columnNames() {
        return columns.stream().map(Column::name).toList();
    }

    /** The same rows with other columns. */
    public StagedTable with(List<Column> changed) {
        return new StagedTable(name, changed, parts);
    }

    /** Where a row of the table came from, for people. */
    public String place(long row) {
        Part part = parts.get(0);
        for (Part candidate : parts) {
            if (candidate.firstRow() <= row) {
                part = candidate;
            }
        }
        long inFile = row - part.firstRow();
        long line = part.lines().applyAsLong(inFile);
        String place = "%s, row %d".formatted(part.file(), inFile + 1);
        return line == 0 ? place : "%s (line %d)".formatted(place, line);
    }
}
