package dev.medley.connect.files;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.text.DidYouMean;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.sql.SqlRows;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.RowSink;
import dev.medley.connect.table.TableSchema;
import dev.medley.connect.table.TableView;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Shows files as they are; that they stay so while they are read is checked at the end. */
final class FilesView implements TableView {
    private final FilesOptions options;
    private final List<FileStamp> files;
    private final List<FileStamp> added;
    private final Changes changes;
    private final Path folder;
    private final DuckDb db;
    private final List<FileColumn> columns;

    private FilesView(
            FilesOptions options,
            List<FileStamp> files,
            List<FileStamp> added,
            Changes changes,
            Path folder,
            DuckDb db,
            List<FileColumn> columns) {
        this.options = options;
        this.files = files;
        this.added = added;
        this.changes = changes;
        this.folder = folder;
        this.db = db;
        this.columns = columns;
    }

    static FilesView open(
            FilesOptions options, List<FileStamp> files, Optional<FilesPosition> since)
            throws IOException {
        List<FileStamp> added =
                files.stream().filter(f -> since.flatMap(p -> p.file(f.name())).isEmpty()).toList();
        Path folder = TemporaryFolder.make("files");
        DuckDb db = DuckDb.pooled(folder);
        try {
            List<FileColumn> columns = new FileColumns(db, options).of(files);
            for (String key : options.key()) {
                List<String> names = columns.stream().map(c -> c.column().name()).toList();
                ConfigException.check(
                        names.contains(key),
                        "%s: no file has the key column '%s'%s",
                        options.folder(),
                        key,
                        DidYouMean.of(key, names)
                                .map(n -> "; did you mean '" + n + "'?")
                                .orElse(": they have " + names));
            }
            Changes changes = changes(options, files, added, since);
            return new FilesView(options, files, added, changes, folder, db, columns);
        } catch (RuntimeException | IOException e) {
            close(db, folder);
            throw e;
        }
    }

    private static Changes changes(
            FilesOptions options,
            List<FileStamp> files,
            List<FileStamp> added,
            Optional<FilesPosition> since) {
        if (since.isEmpty()) {
            return Changes.all("it is the first sync");
        } else if (options.key().isEmpty()) {
            return Changes.all("the files have no key: their rows cannot be told apart");
        }
        for (FileStamp before : since.get().files()) {
            Optional<FileStamp> now =
                    files.stream().filter(f -> f.name().equals(before.name())).findFirst();
            if (now.isEmpty()) {
                return Changes.all("file " + before.name() + " is gone");
            } else if (!now.get().hasSameBytes(before)) {
                return Changes.all("file " + before.name() + " has other bytes");
            }
        }
        return new Changes(
                Changes.Rows.CHANGED,
                Changes.Deletes.NONE,
                "%d new files, and no other has changed".formatted(added.size()));
    }

    @Override
    public TableSchema schema() {
        return new TableSchema(columns.stream().map(FileColumn::column).toList(), options.key());
    }

    @Override
    public Changes changes() {
        return changes;
    }

    @Override
    public void rows(Changes.Rows which, RowSink sink) throws IOException {
        read(which == Changes.Rows.ALL ? files : added, columns, sink);
    }

    @Override
    public void keys(RowSink sink) throws IOException {
        List<FileColumn> key =
                options.key().stream()
                        .flatMap(k -> columns.stream().filter(c -> c.column().name().equals(k)))
                        .toList();
        read(files, key, sink);
    }

    private void read(List<FileStamp> some, List<FileColumn> wanted, RowSink sink)
            throws IOException {
        if (some.isEmpty()) {
            return;
        }
        String values =
                wanted.stream()
                        .map(c -> SqlColumns.toStaged(c.column().type(), "(" + c.value() + ")"))
                        .collect(Collectors.joining(", "));
        List<Column> kept = wanted.stream().map(FileColumn::column).toList();
        FileColumns reader = new FileColumns(db, options);
        for (FileStamp file : some) {
            try {
                if (options.format() == FileFormat.JSON) {
                    json(options.folder().resolve(file.name()), kept, sink);
                    requireUntouched(file);
                    continue;
                }
                SqlRows.read(
                        db,
                        "SELECT %s FROM (%s)".formatted(values, reader.rows(file, columns)),
                        kept,
                        sink);
            } catch (SQLException e) {
                throw FileColumns.trouble(options.folder().resolve(file.name()), e);
            }
            requireUntouched(file);
        }
    }

    private void requireUntouched(FileStamp file) throws IOException {
        if (!file.isUntouched(options.folder())) {
            throw new IOException(
                    "%s: changed while it was read: sync again when it is complete"
                            .formatted(options.folder().resolve(file.name())));
        }
    }

    private static void json(Path file, List<Column> wanted, RowSink sink) throws IOException {
        RowBatch batch = new RowBatch(wanted, RowBatch.USUAL_CAPACITY);
        JsonObjects.read(
                file,
                values -> {
                    int row = batch.add();
                    for (int i = 0; i < wanted.size(); i++) {
                        String value = values.get(wanted.get(i).name());
                        if (value != null) {
                            batch.column(i).setText(row, value);
                        }
                    }
                    if (batch.isFull()) {
                        sink.accept(batch);
                        batch.clear();
                    }
                });
        if (batch.rows() > 0) {
            sink.accept(batch);
        }
    }

    @Override
    public JsonNode position() {
        return Json.tree(new FilesPosition(files));
    }

    @Override
    public void close() throws IOException {
        close(db, folder);
    }

    private static void close(DuckDb db, Path folder) throws IOException {
        db.close();
        Files.deleteIfExists(folder);
    }
}
