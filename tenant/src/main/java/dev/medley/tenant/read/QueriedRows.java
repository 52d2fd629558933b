package dev.medley.tenant.read;

import dev.medley.connect.files.FileFormat;
import dev.medley.connect.files.FilesOptions;
import dev.medley.connect.files.FilesRelation;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.snapshot.SnapshotManifest;
import dev.medley.connect.snapshot.SnapshotView;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.table.ColumnType;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.tenant.policy.SourceColumn;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads files and snapshots by a query of DuckDB's. */
final class QueriedRows implements SourceRows {
    private final List<SourceColumn> columns;
    private final String query;
    private final Order order;
    private final @Nullable FilesRelation files;

    private enum Order {
        /** As the files have them. */
        OF_FILES,
        /** The same, and no optimizer, which would move casts into the reader of CSV. */
        OF_TEXTS,
        NONE
    }

    private QueriedRows(
            List<SourceColumn> columns, String query, Order order, @Nullable FilesRelation files) {
        this.columns = List.copyOf(columns);
        this.query = query;
        this.order = order;
        this.files = files;
    }

    static QueriedRows ofFiles(DuckDb db, FilesOptions options) throws IOException {
        FilesRelation files = FilesRelation.of(db, options);
        boolean isText = options.format() == FileFormat.CSV;
        List<SourceColumn> columns = new ArrayList<>();
        files.types()
                .forEach(
                        (name, type) -> {
                            ColumnType named = options.types().get(name);
                            columns.add(
                                    new SourceColumn(
                                            name,
                                            named == null ? type : SqlColumns.type(named),
                                            isText));
                        });
        return new QueriedRows(
                columns, files.sql(), isText ? Order.OF_TEXTS : Order.OF_FILES, files);
    }

    static QueriedRows ofSnapshot(Path path) throws IOException {
        SnapshotFolder folder = new SnapshotFolder(path);
        SnapshotManifest manifest = folder.requireManifest();
        SnapshotView view = SnapshotView.knownAt(path.toString(), folder, Long.MAX_VALUE);
        if (!view.version().equals(manifest.latest())) {
            throw new IOException(path + ": a sync has just ended: ask again");
        }
        List<SourceColumn> columns =
                manifest.schemaOf(view.version()).columns().stream()
                        .map(c -> new SourceColumn(c.name(), SqlColumns.type(c.type()), false))
                        .toList();
        return new QueriedRows(columns, view.rows(), Order.NONE, null);
    }

    @Override
    public List<SourceColumn> columns() {
        return columns;
    }

    @Override
    public void fill(DuckDb db, ExtractSql extract) throws SQLException, IOException {
        switch (order) {
            case OF_FILES -> extract.create(db, query);
            case OF_TEXTS -> db.plainly(() -> extract.create(db, query));
            case NONE -> extract.createSorted(db, query);
        }
        if (files != null) {
            try {
                files.requireUntouched();
            } catch (IOException e) {
                throw new IOException(
                        "the table's files changed while they were read: ask again", e);
            }
        }
    }

    @Override
    public void close() {
        // The database is the extract's.
    }
}
