package dev.medley.tenant.read;

import dev.medley.data.table.engine.DuckDb;
import dev.medley.tenant.policy.SourceColumn;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.jspecify.annotations.Nullable;

/**
 * Fills an extract with rows that come one by one as texts. Of rows that a caller does not see, one
 * batch at a time is in memory, and none is left.
 *
 * <p>Thread: one.
 */
final class TextBatches implements AutoCloseable {
    private static final int ROWS = 10_000;

    private final DuckDb db;
    private final ExtractSql extract;
    private final String table;
    private DuckDBAppender appender;
    private int rows;

    /** Makes the extract, without rows. */
    TextBatches(DuckDb db, ExtractSql extract, List<SourceColumn> columns) throws SQLException {
        this.db = db;
        this.extract = extract;
        this.table =
                columns.stream()
                        .map(c -> DuckDb.name(c.name()) + " VARCHAR")
                        .collect(Collectors.joining(", ", "TABLE batch (", ")"));
        db.execute("CREATE " + table);
        extract.create(db, "SELECT * FROM batch");
        this.appender = db.connection().createAppender("batch");
    }

    /** One more row. */
    void add(List<@Nullable String> values) throws SQLException {
        appender.beginRow();
        for (String value : values) {
            if (value == null) {
                appender.appendNull();
            } else {
                appender.append(value);
            }
        }
        appender.endRow();
        if (++rows == ROWS) {
            insert();
            appender = db.connection().createAppender("batch");
        }
    }

    private void insert() throws SQLException {
        appender.close();
        extract.insert(db, "SELECT * FROM batch");
        db.execute("CREATE OR REPLACE " + table);
        rows = 0;
    }

    /** All rows are in the extract. */
    void end() throws SQLException {
        insert();
        db.execute("DROP TABLE batch");
    }

    @Override
    public void close() throws SQLException {
        appender.close();
    }
}
