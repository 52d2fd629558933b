package dev.medley.connect.salesforce;

import dev.medley.connect.salesforce.event.ReplayPosition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Marks where a sync of an object ended.
 *
 * @param org the id of the org
 * @param newest stamp of the newest record, deleted or not, before the last sync that read by
 *     stamps, or all records, read any; null where there was none
 * @param fields name and type of each field that was read
 * @param keysAtMillis when all ids were compared last, or all records read
 * @param events where change events were read to; null where they were not
 */
record SalesforcePosition(
        String org,
        @Nullable String newest,
        List<String> fields,
        long keysAtMillis,
        @Nullable ReplayPosition events) {
    SalesforcePosition {
        fields = List.copyOf(fields);
    }
}
