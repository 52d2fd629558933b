package dev.medley.connect.snapshot;

import dev.medley.base.Json;
import dev.medley.base.NamedFile;
import dev.medley.connect.sql.StagedRows;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.Checksum;
import dev.medley.store.file.SealedJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the rows of a sync that is under way in {@code pending/}, as far as its source can go on
 * behind them. What is damaged or left by another sync is as good as not there.
 *
 * <p>Thread: one.
 */
final class PendingFolder {
    private static final String NAME = "pending.json";
    private static final int LARGEST_BYTES = 64 << 20;

    private final Path folder;
    private final long afterSyncs;
    private final List<SnapshotPart> parts = new ArrayList<>();
    private long rowsKept;

    PendingFolder(Path folder, long afterSyncs) {
        this.folder = folder;
        this.afterSyncs = afterSyncs;
    }

    /** What can be gone on with; anything else is removed. */
    @Nullable PendingSync find() throws IOException {
        Optional<PendingSync> found = read();
        if (found.isPresent() && isWhole(found.get())) {
            return found.get();
        }
        clear();
        return null;
    }

    private Optional<PendingSync> read() throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        byte[] json = NamedFile.bytes(file, LARGEST_BYTES);
        try {
            return SealedJson.isWhole(json)
                    ? Optional.of(
                            Json.bindWhole(
                                    SealedJson.content(Json.parse(json, ObjectNode.class)),
                                    PendingSync.class))
                    : Optional.empty();
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    private boolean isWhole(PendingSync pending) throws IOException {
        for (SnapshotPart part : pending.parts()) {
            Path file = folder.resolve(part.file());
            if (!Files.exists(file)
                    || !Checksum.of(file, Checksum.Kind.XXH64).equals(part.checksum())) {
                return false;
            }
        }
        return pending.afterSyncs() == afterSyncs;
    }

    /** Puts the rows of a sync that was cut off back where they were staged. */
    void restore(PendingSync pending, StagedRows staged) throws SQLException {
        for (SnapshotPart part : pending.parts()) {
            staged.load(DuckDb.path(folder.resolve(part.file())));
            parts.add(part);
            rowsKept += part.rows();
        }
    }

    /** Keeps what was staged since the last time, and from where the source goes on. */
    void keep(StagedTables stage, JsonNode condition, JsonNode resume)
            throws SQLException, IOException {
        long rows = stage.db().longs("SELECT count(*) FROM " + StagedTables.ROWS)[0];
        if (rows > rowsKept) {
            String name = "%06d.parquet".formatted(parts.size());
            Path unfinished = stage.scratch().path().resolve(name);
            stage.db()
                    .execute(
                            "COPY (SELECT * FROM %s WHERE rowid >= %d) TO %s (FORMAT parquet)"
                                    .formatted(
                                            StagedTables.ROWS,
                                            rowsKept,
                                            DuckDb.text(unfinished.toString())));
            Files.createDirectories(folder);
            Path target = folder.resolve(name);
            AtomicFile.publish(unfinished, target);
            parts.add(
                    new SnapshotPart(
                            name,
                            rows - rowsKept,
                            Files.size(target),
                            Checksum.of(target, Checksum.Kind.XXH64)));
            rowsKept = rows;
        }
        PendingSync pending = new PendingSync(afterSyncs, condition, resume, parts);
        AtomicFile.write(
                folder.resolve(NAME),
                SealedJson.seal(Json.bind(Json.tree(pending), ObjectNode.class)));
    }

    /** Forgets all of it, the file that counts first. */
    void clear() throws IOException {
        parts.clear();
        rowsKept = 0;
        Files.deleteIfExists(folder.resolve(NAME));
        if (Files.isDirectory(folder)) {
            AtomicFile.sweep(folder);
            try (Stream<Path> files = Files.list(folder)) {
                for (Path file : files.toList()) {
                    Files.deleteIfExists(file);
                }
            }
            Files.deleteIfExists(folder);
        }
    }
}
