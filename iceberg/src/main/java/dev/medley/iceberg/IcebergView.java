package dev.medley.iceberg;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.text.DidYouMean;
import dev.medley.connect.sql.SqlRows;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.RowSink;
import dev.medley.connect.table.TableSchema;
import dev.medley.connect.table.TableView;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.util.SnapshotUtil;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Shows a table at the snapshot that was current when it was opened. */
final class IcebergView implements TableView {
    private static final int NEWEST_FORMAT = 2;

    private final IcebergOptions options;
    private final Table table;
    private final @Nullable Snapshot snapshot;
    private final List<IcebergColumn> columns;
    private final List<String> key;
    private final @Nullable Snapshot since;
    private final Changes changes;
    private final Path folder;
    private final StoredFileIo io;
    private @Nullable DuckDb db;

    private IcebergView(
            IcebergOptions options, Table table, Optional<IcebergPosition> before, Path folder) {
        this.options = options;
        this.table = table;
        this.folder = folder;
        this.io = (StoredFileIo) table.io();
        int format = ((BaseTable) table).operations().current().formatVersion();
        ConfigException.check(
                format <= NEWEST_FORMAT,
                "%s: is of format version %d, and versions 1 and 2 are read",
                options.name(),
                format);
        this.snapshot = table.currentSnapshot();
        this.columns = columns(options, table);
        this.key = key(options, table, columns);
        this.changes = changes(before);
        this.since =
                changes.rows() == Changes.Rows.CHANGED
                        ? table.snapshot(before.orElseThrow().snapshot())
                        : null;
    }

    static IcebergView open(
            IcebergOptions options,
            UnaryOperator<@Nullable String> environment,
            Optional<IcebergPosition> since)
            throws IOException {
        Path folder = TemporaryFolder.make("iceberg");
        try {
            Path files = Files.createDirectory(folder.resolve("files"));
            Table table = new MetadataPlace(options, environment, files).load();
            return new IcebergView(options, table, since, folder);
        } catch (RuntimeException | IOException e) {
            empty(folder);
            throw e;
        }
    }

    private static List<IcebergColumn> columns(IcebergOptions options, Table table) {
        List<NestedField> fields = table.schema().columns();
        List<String> names = fields.stream().map(NestedField::name).toList();
        if (options.columns().isEmpty()) {
            return fields.stream().map(f -> IcebergColumn.of(f, options.name())).toList();
        }
        List<IcebergColumn> chosen = new ArrayList<>();
        for (String name : options.columns()) {
            check(names, name, options, "column");
            chosen.add(IcebergColumn.of(fields.get(names.indexOf(name)), options.name()));
        }
        return chosen;
    }

    private static List<String> key(
            IcebergOptions options, Table table, List<IcebergColumn> columns) {
        List<String> names = columns.stream().map(c -> c.column().name()).toList();
        List<String> key =
                options.key().isEmpty()
                        ? table.schema().identifierFieldNames().stream().sorted().toList()
                        : options.key();
        key.forEach(name -> check(names, name, options, "key column"));
        return key;
    }

    private static void check(
            List<String> names, String name, IcebergOptions options, String what) {
        ConfigException.check(
                names.contains(name),
                "%s: has no %s '%s'%s",
                options.name(),
                what,
                name,
                DidYouMean.of(name, names)
                        .map(n -> "; did you mean '" + n + "'?")
                        .orElse(": it has " + names));
    }

    private Changes changes(Optional<IcebergPosition> before) {
        if (before.isEmpty()) {
            return Changes.all("it is the first sync");
        } else if (!before.get().uuid().equals(uuid())) {
            return Changes.all("it is another table of that name");
        } else if (key.isEmpty()) {
            return Changes.all("the table has no key: its rows cannot be told apart");
        }
        Snapshot known = table.snapshot(before.get().snapshot());
        if (known == null || snapshot == null) {
            return Changes.all("the snapshot of the last sync is no more");
        } else if (!SnapshotUtil.isAncestorOf(table, snapshot.snapshotId(), known.snapshotId())) {
            return Changes.all("the table went back to an earlier snapshot");
        }
        int appends = 0;
        for (Snapshot later :
                SnapshotUtil.ancestorsBetween(table, snapshot.snapshotId(), known.snapshotId())) {
            if (!later.operation().equals(DataOperations.APPEND)) {
                return Changes.all(
                        "snapshot %d is no append but an %s"
                                .formatted(later.snapshotId(), later.operation()));
            }
            appends++;
        }
        return new Changes(
                Changes.Rows.CHANGED,
                Changes.Deletes.NONE,
                "%d appends, and nothing else".formatted(appends));
    }

    private String uuid() {
        return String.valueOf(((BaseTable) table).operations().current().uuid());
    }

    @Override
    public TableSchema schema() {
        return new TableSchema(columns.stream().map(IcebergColumn::column).toList(), key);
    }

    @Override
    public Changes changes() {
        return changes;
    }

    @Override
    public void rows(Changes.Rows which, RowSink sink) throws IOException {
        read(which, columns, sink);
    }

    @Override
    public void keys(RowSink sink) throws IOException {
        List<IcebergColumn> of =
                key.stream()
                        .flatMap(k -> columns.stream().filter(c -> c.column().name().equals(k)))
                        .toList();
        read(Changes.Rows.ALL, of, sink);
    }

    private void read(Changes.Rows which, List<IcebergColumn> wanted, RowSink sink)
            throws IOException {
        List<Column> kept = wanted.stream().map(IcebergColumn::column).toList();
        List<FileScanTask> tasks = planned(which);
        if (tasks.isEmpty()) {
            return;
        }
        DuckDb db = engine();
        DataFileQuery query = new DataFileQuery(table, io, db, options.name());
        for (FileScanTask task : tasks) {
            try {
                SqlRows.read(db, query.rows(task, wanted), kept, sink);
                io.forget(task.file().location());
            } catch (SQLException e) {
                throw new IOException(
                        "%s: %s cannot be read: %s"
                                .formatted(
                                        options.name(), task.file().location(), DuckDb.message(e)),
                        e);
            }
        }
    }

    /** Begun when rows are read first: most looks find that nothing has come. */
    private DuckDb engine() throws IOException {
        DuckDb engine = db;
        if (engine == null) {
            engine = DuckDb.forFiles(List.of(), folder);
            db = engine;
        }
        return engine;
    }

    private List<FileScanTask> planned(Changes.Rows which) throws IOException {
        try (CloseableIterable<FileScanTask> tasks = tasks(which)) {
            List<FileScanTask> planned = new ArrayList<>();
            tasks.forEach(planned::add);
            return planned;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } catch (RuntimeException e) {
            // The library has no exception of its own for files that are broken or forged.
            throw new IOException(
                    "%s: a manifest cannot be read, as where old snapshots expire: %s"
                            .formatted(options.name(), e.getMessage()),
                    e);
        }
    }

    private CloseableIterable<FileScanTask> tasks(Changes.Rows which) {
        if (snapshot == null) {
            return CloseableIterable.empty();
        } else if (which == Changes.Rows.ALL || since == null) {
            return table.newScan().useSnapshot(snapshot.snapshotId()).planFiles();
        } else if (since.snapshotId() == snapshot.snapshotId()) {
            return CloseableIterable.empty();
        }
        return table.newIncrementalAppendScan()
                .fromSnapshotExclusive(since.snapshotId())
                .toSnapshot(snapshot.snapshotId())
                .planFiles();
    }

    @Override
    public JsonNode position() {
        return Json.tree(new IcebergPosition(uuid(), snapshot == null ? 0 : snapshot.snapshotId()));
    }

    @Override
    public void close() throws IOException {
        io.close();
        if (db != null) {
            db.close();
        }
        empty(folder);
    }

    private static void empty(Path folder) throws IOException {
        try (Stream<Path> left = Files.walk(folder)) {
            for (Path file : left.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
