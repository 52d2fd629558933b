package dev.medley.data.table.labelled;

import dev.medley.data.table.column.StagedTable;
import dev.medley.data.table.column.StagedTable.Column;
import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads texts and their codes from a staged table in the order of its rows, some thousand at a
 * time.
 *
 * @param code the expression of each row's class
 * @param stratum the expression of its stratum; null where there are none
 */
record TextRows(DuckDb db, StagedTable rows, Column texts, String code, @Nullable String stratum) {
    private static final int AT_ONCE = 4096;

    /** Takes rows in order; a text without a value is empty. */
    @FunctionalInterface
    interface Sink {
        void accept(String text, int code, int stratum) throws IOException;
    }

    void each(Sink sink) throws IOException {
        String all =
                "SELECT coalesce(%s, ''), %s, %s FROM %s"
                        .formatted(
                                texts.text(), code, stratum == null ? "0" : stratum, rows.name());
        try {
            long last = db.longs("SELECT coalesce(max(rowid), -1) FROM " + rows.name())[0];
            for (long from = 0; from <= last; from += AT_ONCE) {
                String some =
                        " WHERE rowid >= %d AND rowid < %d ORDER BY rowid"
                                .formatted(from, from + AT_ONCE);
                for (List<String> row : db.rows(all + some)) {
                    sink.accept(
                            row.get(0), Integer.parseInt(row.get(1)), Integer.parseInt(row.get(2)));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException(all, e);
        }
    }
}
