package dev.medley.data.table.series;

import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.engine.DuckDb;
import java.sql.SQLException;
import java.util.List;

/**
 * Finds where the rows of series came from: file, row and line, for messages.
 *
 * @param db that has them
 * @param read the table that rows were read into
 * @param ordered the table of rows in order, with {@code s}, {@code t} and the row {@code r} that
 *     each was
 */
record RowPlaces(DuckDb db, StagedTable read, String ordered) {
    private static final String FIRST_TWO =
            "SELECT r FROM %s WHERE s = %d AND t = CAST('%s' AS DOUBLE) ORDER BY r LIMIT 2";

    /** Of the first rows, two at most, of a series for a time. */
    String at(int series, double time) {
        String sql = FIRST_TWO.formatted(ordered, series, time);
        try {
            List<Long> rows = db.rows(sql).stream().map(row -> Long.parseLong(row.get(0))).toList();
            return rows.size() < 2 ? at(rows.get(0)) : both(rows.get(0), rows.get(1));
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Of a row. */
    String at(long row) {
        return read.place(row);
    }

    /** Of two rows; the file is named once where both are of one. */
    String both(long first, long second) {
        String one = at(first);
        String other = at(second);
        String file = one.substring(0, one.lastIndexOf(", row ") + 2);
        return one + " and " + (other.startsWith(file) ? other.substring(file.length()) : other);
    }
}
