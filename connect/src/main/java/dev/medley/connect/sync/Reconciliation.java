package dev.medley.connect.sync;

import dev.medley.connect.snapshot.Sum;
import java.util.List;

/**
 * Tells whether a snapshot is what its source is now.
 *
 * @param source what was read there
 * @param snapshot what was read from the files, whose hashes were computed again
 * @param differing rows that are not the same on both sides
 * @param examples up to ten of them: the key and what is different
 */
public record Reconciliation(Sum source, Sum snapshot, long differing, List<String> examples) {
    public Reconciliation {
        examples = List.copyOf(examples);
    }

    /** Whether count and checksum agree. */
    public boolean isEqual() {
        return source.equals(snapshot);
    }

    /** One sentence for people. */
    public String words() {
        return isEqual()
                ? "source and snapshot are equal: " + source
                : "source has %s, snapshot has %s; %d rows differ: %s"
                        .formatted(source, snapshot, differing, String.join("; ", examples));
    }
}
