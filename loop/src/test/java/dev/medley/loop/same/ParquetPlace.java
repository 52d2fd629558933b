package dev.medley.loop.same;

import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.same.FactHistory.FactColumn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Parquet files: one more where rows come, all anew where others change. */
final class ParquetPlace implements TablePlace {
    private final Path folder;
    private final Connection db;
    private int files;

    ParquetPlace(Path folder) throws SQLException {
        this.folder = folder;
        this.db = DriverManager.getConnection("jdbc:duckdb:");
    }

    @Override
    public String source(Kept table) {
        return "{files: \"%s/%s/*.parquet\", key: [%s]}"
                .formatted(folder, table.name(), TablePlace.names(table.key()));
    }

    @Override
    public void make(Kept table) throws Exception {
        Files.createDirectories(folder.resolve(table.name()));
        write(table, List.of());
    }

    @Override
    public void change(Kept table, Change change) throws Exception {
        if (change.gone().isEmpty()) {
            write(table, change.put());
            return;
        }
        try (Stream<Path> old = Files.list(folder.resolve(table.name()))) {
            for (Path file : old.toList()) {
                Files.delete(file);
            }
        }
        int half = change.all().size() / 2;
        write(table, change.all().subList(0, half));
        write(table, change.all().subList(half, change.all().size()));
    }

    private void write(Kept table, List<List<@Nullable String>> rows) throws SQLException {
        String typed =
                table.columns().stream().map(ParquetPlace::typed).collect(Collectors.joining(", "));
        String from =
                rows.isEmpty()
                        ? "(SELECT %s WHERE false)"
                                .formatted(
                                        table.columns().stream()
                                                .map(c -> "NULL AS " + DuckDb.name(c.name()))
                                                .collect(Collectors.joining(", ")))
                        : "(VALUES %s) t(%s)"
                                .formatted(
                                        TablePlace.values(rows, table.columns(), false),
                                        TablePlace.names(table.columns()));
        try (Statement statement = db.createStatement()) {
            statement.execute(
                    "COPY (SELECT %s FROM %s) TO '%s/%s/%d.parquet' (FORMAT parquet)"
                            .formatted(typed, from, folder, table.name(), files++));
        }
    }

    private static String typed(FactColumn column) {
        return "CAST(%1$s AS %2$s) AS %1$s"
                .formatted(DuckDb.name(column.name()), column.kind().duckDbType());
    }

    @Override
    public void close() throws SQLException {
        db.close();
    }
}
