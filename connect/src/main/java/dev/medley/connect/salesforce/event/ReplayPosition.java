package dev.medley.connect.salesforce.event;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Marks how far the change events of an object were read.
 *
 * @param topic whose events these are
 * @param replay Salesforce's mark, in Base64
 * @param atMillis when Salesforce gave it
 * @param covered stamp of the newest record that was known to be read then; null where there was
 *     none
 * @param owed records of which events told and that no query found yet
 */
public record ReplayPosition(
        String topic,
        String replay,
        long atMillis,
        @Nullable String covered,
        List<OwedRecord> owed) {
    public ReplayPosition {
        owed = List.copyOf(owed);
    }

    /** The same place, with other records owed. */
    public ReplayPosition owing(List<OwedRecord> records) {
        return new ReplayPosition(topic, replay, atMillis, covered, records);
    }
}
