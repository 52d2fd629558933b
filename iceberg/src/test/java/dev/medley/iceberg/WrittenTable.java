package dev.medley.iceberg;

import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileMetadata;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadataParser;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.types.Types.NestedField;
import org.jspecify.annotations.Nullable;

/**
 * Writes a table of Iceberg below a folder: metadata by Iceberg's own library, with a hint as
 * catalogs of Hadoop leave it, and Parquet by DuckDB.
 */
public final class WrittenTable implements AutoCloseable {
    private final Path folder;
    private final Connection db;
    private final Table table;
    private int files;

    /** An empty table in {@code folder}. */
    public WrittenTable(
            Path folder, Schema schema, PartitionSpec spec, Map<String, String> properties)
            throws IOException, SQLException {
        this.folder = folder;
        Files.createDirectories(folder.resolve("metadata"));
        Files.createDirectories(folder.resolve("data"));
        db = DriverManager.getConnection("jdbc:duckdb:");
        Operations operations = new Operations(folder);
        operations.commit(
                null, TableMetadata.newTableMetadata(schema, spec, folder.toString(), properties));
        table = new BaseTable(operations, "test");
    }

    /** The table, as Iceberg has it. */
    public Table table() {
        return table;
    }

    /** Appends rows, as VALUES has them, with the current schema's columns. */
    public DataFile append(String values) {
        DataFile file = data(values, null);
        table.newAppend().appendFile(file).commit();
        return file;
    }

    /** A data file that is in no snapshot yet. */
    DataFile data(String values, @Nullable String partition) {
        Path path = parquet(values, table.schema().columns());
        DataFiles.Builder file =
                DataFiles.builder(table.spec())
                        .withPath(path.toString())
                        .withFormat(FileFormat.PARQUET)
                        .withFileSizeInBytes(path.toFile().length())
                        .withRecordCount(count(path));
        return (partition == null ? file : file.withPartitionPath(partition)).build();
    }

    /** Deletes rows of a data file by their numbers. */
    void deletePositions(DataFile file, List<Integer> rows) {
        Path path = folder.resolve("data/deletes-" + files++ + ".parquet");
        execute(
                ("COPY (SELECT '%s' AS file_path, unnest(%s)::BIGINT AS pos) TO '%s' (FORMAT "
                                + "parquet, FIELD_IDS {file_path: 2147483546, pos: 2147483545})")
                        .formatted(file.location(), rows, path));
        table.newRowDelta().addDeletes(deletes(path).ofPositionDeletes().build()).commit();
    }

    /** Deletes rows whose columns have these values. */
    public void deleteEqual(List<NestedField> fields, String values) {
        Path path = parquet(values, fields);
        int[] ids = fields.stream().mapToInt(NestedField::fieldId).toArray();
        table.newRowDelta().addDeletes(deletes(path).ofEqualityDeletes(ids).build()).commit();
    }

    private FileMetadata.Builder deletes(Path path) {
        return FileMetadata.deleteFileBuilder(table.spec())
                .withPath(path.toString())
                .withFormat(FileFormat.PARQUET)
                .withFileSizeInBytes(path.toFile().length())
                .withRecordCount(count(path));
    }

    private Path parquet(String values, List<NestedField> fields) {
        Path path = folder.resolve("data/" + files++ + ".parquet");
        String names =
                fields.stream().map(f -> DuckDb.name(f.name())).collect(Collectors.joining(", "));
        String typed =
                fields.stream()
                        .map(
                                f ->
                                        "CAST(%s AS %s) AS %s"
                                                .formatted(
                                                        DuckDb.name(f.name()),
                                                        IcebergColumn.of(f, "test").sqlType(),
                                                        DuckDb.name(f.name())))
                        .collect(Collectors.joining(", "));
        String ids =
                fields.stream()
                        .map(f -> DuckDb.name(f.name()) + ": " + f.fieldId())
                        .collect(Collectors.joining(", "));
        execute(
                "COPY (SELECT %s FROM (VALUES %s) t(%s)) TO '%s' (FORMAT parquet, FIELD_IDS {%s})"
                        .formatted(typed, values, names, path, ids));
        return path;
    }

    private long count(Path path) {
        try (Statement statement = db.createStatement();
                var found = statement.executeQuery("SELECT count(*) FROM '" + path + "'")) {
            found.next();
            return found.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void execute(String sql) {
        try (Statement statement = db.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() throws SQLException {
        db.close();
    }

    /** Versions beside each other, the newest in a hint. */
    private static final class Operations implements TableOperations {
        private final Path folder;
        private final FileIO io = new LocalFiles();
        private int version;
        private @Nullable TableMetadata current;

        Operations(Path folder) {
            this.folder = folder;
        }

        @Override
        public TableMetadata current() {
            return java.util.Objects.requireNonNull(current);
        }

        @Override
        public TableMetadata refresh() {
            return current();
        }

        @Override
        public void commit(@Nullable TableMetadata base, TableMetadata metadata) {
            version++;
            String file = metadataFileLocation("v" + version + ".metadata.json");
            TableMetadataParser.overwrite(metadata, io.newOutputFile(file));
            current = TableMetadataParser.read(io.newInputFile(file));
            try {
                Files.writeString(
                        folder.resolve("metadata/version-hint.text"), String.valueOf(version));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public FileIO io() {
            return io;
        }

        @Override
        public String metadataFileLocation(String name) {
            return folder.resolve("metadata").resolve(name).toString();
        }

        @Override
        public LocationProvider locationProvider() {
            return LocationProviders.locationsFor(folder.toString(), Map.of());
        }

        @Override
        public long newSnapshotId() {
            return UUID.randomUUID().getMostSignificantBits() & Long.MAX_VALUE;
        }
    }

    private static final class LocalFiles implements FileIO {
        @Override
        public InputFile newInputFile(String path) {
            return org.apache.iceberg.Files.localInput(path);
        }

        @Override
        public OutputFile newOutputFile(String path) {
            return org.apache.iceberg.Files.localOutput(path);
        }

        @Override
        public void deleteFile(String path) {
            try {
                Files.deleteIfExists(Path.of(path));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
