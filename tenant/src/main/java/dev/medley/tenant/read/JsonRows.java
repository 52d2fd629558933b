package dev.medley.tenant.read;

import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.files.JsonRelation;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.table.ColumnType;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.tenant.policy.SourceColumn;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads JSON files, whose values are texts unless a type is named, one object after another. */
final class JsonRows implements SourceRows {
    private final JsonRelation files;
    private final List<SourceColumn> columns;

    private JsonRows(JsonRelation files, List<SourceColumn> columns) {
        this.files = files;
        this.columns = List.copyOf(columns);
    }

    static JsonRows of(FilesOptions options) throws IOException {
        JsonRelation files = JsonRelation.of(options);
        return new JsonRows(
                files,
                files.columns().stream()
                        .map(name -> column(name, options.types().get(name)))
                        .toList());
    }

    private static SourceColumn column(String name, @Nullable ColumnType named) {
        return new SourceColumn(name, named == null ? "VARCHAR" : SqlColumns.type(named), true);
    }

    @Override
    public List<SourceColumn> columns() {
        return columns;
    }

    @Override
    public void fill(DuckDb db, ExtractSql extract) throws SQLException, IOException {
        try (TextBatches batches = new TextBatches(db, extract, columns)) {
            files.rows(
                    row -> {
                        try {
                            batches.add(row);
                        } catch (SQLException e) {
                            throw new RowsEnded(e);
                        }
                    });
            batches.end();
        } catch (RowsEnded e) {
            throw e.sql();
        }
    }

    /** Carries the engine's complaint out of the reader of files. */
    static final class RowsEnded extends IOException {
        private static final long serialVersionUID = 1L;

        private final SQLException sql;

        RowsEnded(SQLException sql) {
            super("the engine takes no more rows", sql);
            this.sql = sql;
        }

        SQLException sql() {
            return sql;
        }
    }

    @Override
    public void close() {
        // Each file is closed once it is read.
    }
}
