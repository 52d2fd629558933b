package dev.medley.connect.snapshot;

import dev.medley.connect.table.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says which versions of a table a folder has, and from where the next sync goes on.
 *
 * @param source what the rows come from
 * @param position of the source after the last sync
 * @param syncedAtMicros when the last sync came to its end, whether or not it found anything
 * @param syncs how many came to their end
 * @param retired parts that were merged, and may still be read
 */
public record SnapshotManifest(
        int format,
        String source,
        JsonNode position,
        long syncedAtMicros,
        long syncs,
        List<SchemaVersion> schemas,
        List<SnapshotVersion> versions,
        List<RetiredPart> retired) {
    /** What this build writes, and the only one that it reads. */
    public static final int FORMAT = 1;

    public SnapshotManifest {
        schemas = List.copyOf(schemas);
        versions = List.copyOf(versions);
        retired = List.copyOf(retired);
    }

    /** The last version. */
    public SnapshotVersion latest() {
        return versions.get(versions.size() - 1);
    }

    /** The columns of the last version. */
    public TableSchema schema() {
        return schemas.get(schemas.size() - 1).schema();
    }

    /** The columns of a version. */
    public TableSchema schemaOf(SnapshotVersion version) {
        return schemas.get(version.schema() - 1).schema();
    }

    /** The last version that was known at a time; empty before the first. */
    public Optional<SnapshotVersion> knownAt(long micros) {
        return versions.stream().filter(v -> v.knownAtMicros() <= micros).reduce((a, b) -> b);
    }

    /** The versions whose rows make up {@code version}, from a whole one on. */
    List<SnapshotVersion> upTo(SnapshotVersion version) {
        List<SnapshotVersion> counted = new ArrayList<>();
        for (SnapshotVersion each : versions) {
            if (each.number() <= version.number()) {
                if (each.isWhole()) {
                    counted.clear();
                }
                counted.add(each);
            }
        }
        return counted;
    }

    /** Whether a file below the folder belongs to a version, or did a while ago. */
    public boolean hasPart(String file) {
        return retired.stream().anyMatch(part -> part.file().equals(file))
                || versions.stream()
                        .flatMap(v -> v.parts().stream())
                        .anyMatch(part -> part.file().equals(file));
    }

    /** The same after a sync, with a new version or without. */
    SnapshotManifest after(
            JsonNode next,
            long atMicros,
            List<SchemaVersion> known,
            @Nullable SnapshotVersion added) {
        List<SnapshotVersion> all = new ArrayList<>(versions);
        if (added != null) {
            all.add(added);
        }
        return new SnapshotManifest(format, source, next, atMicros, syncs + 1, known, all, retired);
    }

    /** The same with these versions and retired parts. */
    SnapshotManifest with(List<SnapshotVersion> other, List<RetiredPart> old) {
        return new SnapshotManifest(
                format, source, position, syncedAtMicros, syncs, schemas, other, old);
    }
}
