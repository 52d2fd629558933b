package dev.medley.store.table;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Files loaded into DuckDB, in file order.
 *
 * @param name of the table
 * @param columns in file order
 * @param parts the files and their rows, in order
 */
record StagedTable(String name, List<Column> columns, List<Part> parts) {
    StagedTable {
        columns = List.copyOf(columns);
        parts = List.copyOf(parts);
    }

    /**
     * A column.
     *
     * @param name in the files, without spaces around it
     * @param kind what it holds
     * @param sql the expression that reads it: a DOUBLE, or a VARCHAR for texts
     */
    record Column(String name, ColumnKind kind, String sql) {
        static Column of(String name, ColumnKind kind) {
            return new Column(name, kind, DuckDb.name(name));
        }

        /** A column of texts that are all numbers. */
        Column asNumber(DecimalMark decimal) {
            return new Column(name, ColumnKind.NUMBER, decimal.number(DuckDb.name(name)));
        }
    }

    /**
     * One file's rows.
     *
     * @param file they came from
     * @param firstRow its first row in the table
     * @param firstLine line of that row in the file; 0 where lines mean nothing
     */
    record Part(Path file, long firstRow, long firstLine) {}

    Optional<Column> column(String wanted) {
        return columns.stream().filter(c -> c.name().equals(wanted)).findFirst();
    }

    List<String> columnNames() {
        return columns.stream().map(Column::name).toList();
    }

    /** The same rows with other columns. */
    StagedTable with(List<Column> changed) {
        return new StagedTable(name, changed, parts);
    }

    /** Where a row of the table came from, for people. */
    String place(long row) {
        Part part = parts.get(0);
        for (Part candidate : parts) {
            if (candidate.firstRow() <= row) {
                part = candidate;
            }
        }
        long inFile = row - part.firstRow();
        return part.firstLine() == 0
                ? "%s, row %d".formatted(part.file(), inFile + 1)
                : "%s, row %d (line %d)"
                        .formatted(part.file(), inFile + 1, inFile + part.firstLine());
    }
}
