package dev.medley.loop.learn;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.serving.online.OnlineRows;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the rows that were answered for, with features as of now, so that servers of the model
 * find them by key: each value as the model reads it from the file of rows.
 *
 * <p>Thread: one.
 */
final class OnlineWriter {
    private final Path scratch;

    /** The engine's files go below {@code scratch} for a while. */
    OnlineWriter(Path scratch) {
        this.scratch = scratch;
    }

    /**
     * Writes them in place of those of the run before.
     *
     * @param rows Parquet, with the key and all that the model reads
     * @param key the column that tells them apart
     */
    void write(Path rows, String key, long asOfMs, Path file) throws IOException {
        Path lines = file.resolveSibling(file.getFileName() + ".rows");
        Path partial = file.resolveSibling(file.getFileName() + ".partial");
        List<String> columns = new ArrayList<>();
        try (DuckDb db = DuckDb.forFiles(List.of(), scratch)) {
            List<String> values = new ArrayList<>();
            String described =
                    "DESCRIBE SELECT * FROM read_parquet(%s)".formatted(DuckDb.path(rows));
            for (List<String> column : db.rows(described)) {
                columns.add(column.get(0));
                String name = DuckDb.name(column.get(0));
                values.add(name + " := " + value(name, column.get(1)));
            }
            db.execute(
                    ("COPY (SELECT CAST(%s AS VARCHAR) AS k, struct_pack(%s) AS row FROM"
                                    + " read_parquet(%s)) TO %s (FORMAT json)")
                            .formatted(
                                    DuckDb.name(key),
                                    String.join(", ", values),
                                    DuckDb.path(rows),
                                    DuckDb.text(lines.toString())));
        } catch (SQLException e) {
            throw new ConfigException("score: " + DuckDb.message(e), e);
        }
        try (OutputStream out = Files.newOutputStream(partial)) {
            OnlineRows.Header header = new OnlineRows.Header(key, asOfMs, columns);
            out.write((Json.line(header) + "\n").getBytes(StandardCharsets.UTF_8));
            Files.copy(lines, out);
        }
        Files.delete(lines);
        Files.move(
                partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** What JSON has for a value: of numbers the double that files of rows are read as. */
    private static String value(String name, String type) {
        if (type.equals("FLOAT") || type.equals("DOUBLE")) {
            return "CASE WHEN isfinite(%s) THEN CAST(%s AS DOUBLE) END".formatted(name, name);
        } else if (type.startsWith("DECIMAL")) {
            return "CAST(%s AS DOUBLE)".formatted(name);
        } else if (type.startsWith("TIMESTAMP WITH")) {
            return "replace(CAST(%s AT TIME ZONE 'UTC' AS VARCHAR), ' ', 'T')".formatted(name);
        } else if (type.startsWith("TIMESTAMP")) {
            return "replace(CAST(%s AS VARCHAR), ' ', 'T')".formatted(name);
        }
        return name;
    }
}
