package dev.medley.connect.salesforce;

import dev.medley.connect.salesforce.event.RecordFate;
import dev.medley.connect.salesforce.event.ReplayPosition;
import dev.medley.connect.table.Changes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Says what a sync reads.
 *
 * @param changes what it can tell of changes
 * @param way how changed records are found
 * @param fates records of which events told
 * @param events where events stand before any row is read; null where they are not read
 */
record SyncPlan(
        Changes changes, Way way, Map<String, RecordFate> fates, @Nullable ReplayPosition events) {
    /** How changed records are found. */
    enum Way {
        BY_STAMPS,
        BY_EVENTS,
        BY_BOTH;

        boolean usesStamps() {
            return this != BY_EVENTS;
        }
    }

    static SyncPlan all(String why, @Nullable ReplayPosition events) {
        return new SyncPlan(Changes.all(why), Way.BY_STAMPS, Map.of(), events);
    }
}
