package dev.medley.connect.snapshot;

import dev.medley.base.time.Clock;
import dev.medley.connect.sql.SqlColumns;
import dev.medley.connect.table.RowBatch;
import dev.medley.connect.table.TableSchema;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.Checksum;
import dev.medley.store.file.WriteFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Adds one version to the table in a folder. Rows are staged beside it; {@link #publish} compares
 * them with the current ones, writes what differs as one part, and then the manifest. A cut at any
 * moment leaves the manifest before or after, and parts that no manifest names are removed by the
 * next writer. So a sync that was cut off is repeated, and no row is lost or doubled.
 *
 * <p>Cost: keys and hashes of all current rows are read once.
 *
 * <p>Thread: one.
 */
public final class SnapshotWriter implements AutoCloseable {
    private static final long LONGEST_PUBLISHING_MICROS = 60_000_000;

    private final SnapshotFolder folder;
    private final Clock clock;
    private final FolderLock lock;
    private final Optional<SnapshotManifest> before;
    private final PendingFolder pendingRows;
    private final int mostParts;
    private @Nullable PendingSync pending;
    private @Nullable StagedTables stage;
    private @Nullable Merge merge;
    private @Nullable Difference difference;

    private SnapshotWriter(
            SnapshotFolder folder,
            Clock clock,
            FolderLock lock,
            Optional<SnapshotManifest> before,
            int mostParts) {
        this.folder = folder;
        this.clock = clock;
        this.mostParts = mostParts;
        this.lock = lock;
        this.before = before.map(m -> PartMerge.withoutOld(m, clock));
        this.pendingRows =
                new PendingFolder(
                        folder.path().resolve("pending"),
                        before.map(SnapshotManifest::syncs).orElse(0L));
    }

    /**
     * Takes the folder, which is made where it is not there. A {@link
     * dev.medley.base.ConfigException} says that another sync has it, or that it is damaged.
     */
    public static SnapshotWriter open(SnapshotFolder folder, Clock clock) throws IOException {
        return open(folder, clock, PartMerge.MOST_PARTS);
    }

    /** One that merges parts when there are more than {@code mostParts} small ones. */
    static SnapshotWriter open(SnapshotFolder folder, Clock clock, int mostParts)
            throws IOException {
        Files.createDirectories(folder.path());
        FolderLock lock = FolderLock.take(folder.path(), clock);
        try {
            Optional<SnapshotManifest> before = folder.manifest();
            if (before.isPresent()) {
                folder.requireParts(before.get());
            }
            folder.sweep(before.map(m -> PartMerge.withoutOld(m, clock)));
            SnapshotWriter writer = new SnapshotWriter(folder, clock, lock, before, mostParts);
            writer.pending = writer.pendingRows.find();
            return writer;
        } catch (IOException | RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** What the folder has now. */
    public Optional<SnapshotManifest> manifest() {
        return before;
    }

    /** What a sync that was cut off has left to go on with; empty if there is nothing. */
    public Optional<PendingSync> pending() {
        return Optional.ofNullable(pending);
    }

    /** Forgets what a sync that was cut off has left. */
    public void forgetPending() throws IOException {
        pending = null;
        pendingRows.clear();
    }

    /** Stages what a sync that was cut off has left, and keeps it until something is published. */
    public void restorePending() throws IOException {
        PendingSync left = pending;
        if (left != null) {
            try {
                pendingRows.restore(left, stage().rows());
            } catch (SQLException e) {
                throw trouble(e);
            }
            pending = null;
        }
    }

    /** Keeps what is staged, so that a next sync can go on from {@code resume} after a cut. */
    public void keepPending(JsonNode condition, JsonNode resume) throws IOException {
        try {
            stage().flush();
            pendingRows.keep(stage(), condition, resume);
        } catch (SQLException e) {
            throw trouble(e);
        }
    }

    /** Begins to stage rows with the columns of {@code schema}, without those staged before. */
    public void begin(TableSchema schema) throws IOException {
        SqlColumns.check(schema.columns());
        closeStage();
        try {
            stage = StagedTables.open(folder.path(), schema);
        } catch (SQLException e) {
            throw trouble(e);
        }
    }

    /** Stages rows. */
    public void add(RowBatch batch) throws IOException {
        try {
            stage().rows().add(batch);
        } catch (SQLException e) {
            throw trouble(e);
        }
    }

    /** Stages keys of rows that the table has. */
    public void addKeys(RowBatch batch) throws IOException {
        try {
            stage().keys().add(batch);
        } catch (SQLException e) {
            throw trouble(e);
        }
    }

    /** Compares what is staged with the current rows; nothing is written yet. */
    public Difference compare(Extent extent) throws IOException {
        try {
            stage().flush();
            merge = new Merge(stage().db(), stage().schema());
            difference = compared(merge, extent);
            return difference;
        } catch (SQLException e) {
            throw trouble(e);
        }
    }

    /** Refuses rows that were staged as new ones and whose key the table has already. */
    public void requireNewKeys() throws IOException {
        try {
            Objects.requireNonNull(merge, "compare first").requireNewKeys();
        } catch (SQLException e) {
            throw trouble(e);
        }
    }

    private Difference compared(Merge merge, Extent extent) throws SQLException, IOException {
        TableSchema now = stage().schema();
        if (!now.key().isEmpty()) {
            merge.requireKeys();
        }
        if (before.isEmpty() || !hasSameKey(now, before.get().schema())) {
            return Difference.whole(merge.staged(), extent);
        }
        SnapshotManifest manifest = before.get();
        Sum old = Sum.of(manifest.latest());
        if (now.key().isEmpty()) {
            if (extent != Extent.ALL) {
                throw new IllegalStateException(
                        "a table without key is replaced by all of its rows");
            }
            Sum all = merge.staged();
            return all.equals(old) ? Difference.none(old) : Difference.whole(all, extent);
        }
        StateQuery state = StateQuery.at(manifest, folder.path(), manifest.latest());
        Sum current = merge.current(state.keysAndHashes());
        if (!current.equals(old)) {
            throw folder.damaged(
                    folder.path(),
                    "its parts have %s, but its manifest says %s".formatted(current, old));
        }
        return merge.compare(extent, current);
    }

    private static boolean hasSameKey(TableSchema now, TableSchema old) {
        return ids(now).equals(ids(old));
    }

    private static List<String> ids(TableSchema schema) {
        return schema.keyColumns().stream().map(c -> c.id() + " " + c.type()).toList();
    }

    /**
     * Writes what {@link #compare} found as a new version, or only moves the position where that is
     * nothing.
     *
     * @param source what the rows come from, in words
     * @param position where the source goes on next time
     * @param why what changed in the schema since the last version; counts where something did
     */
    public SnapshotManifest publish(String source, JsonNode position, String why)
            throws IOException {
        Difference found = Objects.requireNonNull(difference, "compare first");
        TableSchema now = stage().schema();
        boolean isNew = before.isEmpty() || !before.get().schema().equals(now);
        List<SchemaVersion> schemas =
                new ArrayList<>(before.map(SnapshotManifest::schemas).orElse(List.of()));
        if (isNew) {
            schemas.add(new SchemaVersion(schemas.size() + 1, now, why));
        }
        long atMicros = nextMicros();
        SnapshotVersion added =
                isNew || !found.isNothing() ? version(found, atMicros, schemas.size()) : null;
        SnapshotManifest old =
                before.orElse(
                        new SnapshotManifest(
                                SnapshotManifest.FORMAT,
                                source,
                                position,
                                atMicros,
                                0,
                                schemas,
                                List.of(),
                                List.of()));
        SnapshotManifest manifest = old.after(position, atMicros, schemas, added);
        if (added == null) {
            folder.publish(manifest);
        } else {
            manifest = published(manifest);
        }
        forgetPending();
        return manifest;
    }

    /**
     * Publishes a version, and then the time from which on it counts as known: one at which it
     * could be read already. A join as of an earlier time cannot have a row that nobody could see
     * then. After a cut between the two that time is later by some seconds, not earlier.
     */
    private SnapshotManifest published(SnapshotManifest manifest) throws IOException {
        long latestMicros = manifest.latest().knownAtMicros() + LONGEST_PUBLISHING_MICROS;
        folder.publish(knownAt(manifest, latestMicros));
        SnapshotManifest known = knownAt(manifest, nextMicros());
        folder.publish(known);
        try {
            return PartMerge.of(folder, stage().db(), clock, mostParts).merged(known);
        } catch (IOException e) {
            return known; // The version is there; its parts are merged another time.
        }
    }

    private static SnapshotManifest knownAt(SnapshotManifest manifest, long micros) {
        List<SnapshotVersion> versions = new ArrayList<>(manifest.versions());
        versions.set(versions.size() - 1, manifest.latest().knownAt(micros));
        return manifest.with(versions, manifest.retired());
    }

    private SnapshotVersion version(Difference found, long atMicros, int schemaNumber)
            throws IOException {
        long number = before.map(m -> m.latest().number() + 1).orElse(1L);
        List<SnapshotPart> parts = found.partRows() == 0 ? List.of() : List.of(part(number, found));
        return new SnapshotVersion(
                number,
                atMicros,
                schemaNumber,
                found.isWhole(),
                parts,
                found.after().rows(),
                found.after().hex());
    }

    private SnapshotPart part(long number, Difference found) throws IOException {
        Path unfinished = stage().scratch().path().resolve("part.parquet");
        Merge merging = Objects.requireNonNull(merge);
        String rows = found.isWhole() ? merging.whole(number) : merging.part(number);
        try {
            stage().db()
                    .execute(
                            "COPY (%s) TO %s (FORMAT parquet, COMPRESSION zstd)"
                                    .formatted(rows, DuckDb.text(unfinished.toString())));
        } catch (SQLException e) {
            throw trouble(e);
        }
        String file = SnapshotFolder.part(number);
        Path target = folder.path().resolve(file);
        AtomicFile.publish(unfinished, target);
        return new SnapshotPart(
                file,
                found.partRows(),
                Files.size(target),
                Checksum.of(target, Checksum.Kind.XXH64));
    }

    /** Later than the version before, also where the machine's clock was set back. */
    private long nextMicros() {
        long now = clock.wallMillis() * 1000;
        return before.map(m -> Math.max(now, m.latest().knownAtMicros() + 1)).orElse(now);
    }

    /** The disk's trouble, or ours. */
    private IOException trouble(SQLException e) {
        String said = String.valueOf(e.getMessage());
        if (said.contains("IO Error") || said.contains("No space left")) {
            return WriteFailure.of(folder.path(), 0, new IOException(DuckDb.message(e), e));
        }
        if (said.contains("Out of Memory")) {
            return new IOException(
                    "%s: there is not enough memory or room beside it to compare the rows (%s)"
                            .formatted(folder.path(), DuckDb.message(e)),
                    e);
        }
        throw new IllegalStateException(said, e);
    }

    private StagedTables stage() {
        return Objects.requireNonNull(stage, "begin first");
    }

    private void closeStage() throws IOException {
        StagedTables open = stage;
        stage = null;
        difference = null;
        if (open != null) {
            open.close();
        }
    }

    /** Lets go of the folder; what was not published is gone. */
    @Override
    public void close() throws IOException {
        try {
            closeStage();
        } finally {
            lock.close();
        }
    }
}
