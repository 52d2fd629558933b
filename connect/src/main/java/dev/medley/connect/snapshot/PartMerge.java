package dev.medley.connect.snapshot;

import dev.medley.base.time.Clock;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.file.Checksum;
import dev.medley.store.file.ScratchFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Merges small parts of a table into larger ones, so that reading it does not get slower with each
 * sync. All rows of all versions stay as they are; a merged part belongs to the first version that
 * it has rows of. It is written beside the others, then the manifest names it; the old parts stay
 * for a day. A cut at any moment leaves the parts before or after.
 *
 * <p>Merged are the newest parts, back to one that is larger than all newer ones together: so
 * {@value #MOST_PARTS} small parts and a few large ones are the most that there are, and a row is
 * copied some ten times in its life.
 */
final class PartMerge {
    /** More small parts than this are merged. */
    static final int MOST_PARTS = 32;

    private static final long KEPT_MICROS = Duration.ofDays(1).toMillis() * 1000;

    private final SnapshotFolder folder;
    private final DuckDb db;
    private final Clock clock;
    private final int mostParts;

    private PartMerge(SnapshotFolder folder, DuckDb db, Clock clock, int mostParts) {
        this.folder = folder;
        this.db = db;
        this.clock = clock;
        this.mostParts = mostParts;
    }

    static PartMerge of(SnapshotFolder folder, DuckDb db, Clock clock, int mostParts) {
        return new PartMerge(folder, db, clock, mostParts);
    }

    /** The same manifest without the names of parts that nobody can be reading any more. */
    static SnapshotManifest withoutOld(SnapshotManifest manifest, Clock clock) {
        long oldest = clock.wallMillis() * 1000 - KEPT_MICROS;
        return manifest.with(
                manifest.versions(),
                manifest.retired().stream().filter(p -> p.atMicros() >= oldest).toList());
    }

    /** Publishes a manifest with fewer parts if there are too many; the one that counts then. */
    SnapshotManifest merged(SnapshotManifest manifest) throws IOException {
        List<SnapshotVersion> all = manifest.versions();
        int from = first(all);
        if (from < 0) {
            return manifest;
        }
        List<SnapshotPart> old = new ArrayList<>();
        all.subList(from, all.size()).forEach(v -> old.addAll(v.parts()));
        SnapshotPart part = part(all.get(from).number(), manifest.latest().number(), old);
        List<SnapshotVersion> versions = new ArrayList<>(all.subList(0, from));
        versions.add(all.get(from).with(List.of(part)));
        all.subList(from + 1, all.size()).forEach(v -> versions.add(v.with(List.of())));
        List<RetiredPart> retired = new ArrayList<>(manifest.retired());
        long nowMicros = clock.wallMillis() * 1000;
        old.forEach(p -> retired.add(new RetiredPart(p.file(), nowMicros)));
        SnapshotManifest merged = manifest.with(versions, retired);
        folder.publish(merged);
        return merged;
    }

    /** The index of the first version whose part is merged with all later ones; -1: none. */
    private int first(List<SnapshotVersion> all) {
        int schema = all.get(all.size() - 1).schema();
        int parts = 0;
        int begin = all.size();
        while (begin > 0 && all.get(begin - 1).schema() == schema) {
            begin--;
            parts += all.get(begin).parts().size();
            if (all.get(begin).isWhole()) {
                break; // Earlier ones are of another history.
            }
        }
        if (parts <= mostParts) {
            return -1;
        }
        long newer = 0;
        int from = all.size();
        for (int i = all.size() - 1; i >= begin; i--) {
            long rows = all.get(i).parts().stream().mapToLong(SnapshotPart::rows).sum();
            boolean isLarge = rows > newer && all.size() - i > mostParts / 2;
            if (isLarge) {
                break;
            }
            newer += rows;
            from = rows > 0 ? i : from;
        }
        return from;
    }

    private SnapshotPart part(long first, long last, List<SnapshotPart> old) throws IOException {
        String file = SnapshotFolder.part(first, last);
        Path target = folder.path().resolve(file);
        String from =
                old.stream()
                        .map(p -> DuckDb.path(folder.path().resolve(p.file())))
                        .collect(
                                Collectors.joining(
                                        ", ", "read_parquet([", "], union_by_name = true)"));
        try (ScratchFolder scratch = ScratchFolder.beside(folder.path().resolve("merge"))) {
            Path unfinished = scratch.path().resolve("part.parquet");
            db.execute(
                    "COPY (SELECT * FROM %s) TO %s (FORMAT parquet, COMPRESSION zstd)"
                            .formatted(from, DuckDb.text(unfinished.toString())));
            String sums = "SELECT count(*), sum(_hash), sum(_version), sum(_deleted::INT) FROM ";
            List<List<String>> before = db.rows(sums + from);
            List<List<String>> after =
                    db.rows(sums + "read_parquet(" + DuckDb.path(unfinished) + ")");
            if (!before.equals(after)) {
                throw new IOException(
                        "%s: merged parts have %s, but the old ones %s"
                                .formatted(target, after, before));
            }
            AtomicFile.publish(unfinished, target);
        } catch (SQLException e) {
            throw new IOException(DuckDb.message(e), e);
        }
        return new SnapshotPart(
                file,
                old.stream().mapToLong(SnapshotPart::rows).sum(),
                Files.size(target),
                Checksum.of(target, Checksum.Kind.XXH64));
    }
}
