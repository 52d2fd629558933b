package dev.medley.connect.salesforce;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Marks where a sync of an object ended.
 *
 * @param org the id of the org
 * @param newest stamp of the newest record, deleted or not, before the sync read any; null where
 *     there was none
 * @param fields name and type of each field that was read
 * @param keysAtMillis when all ids were compared last, or all records read
 */
record SalesforcePosition(
        String org, @Nullable String newest, List<String> fields, long keysAtMillis) {
    SalesforcePosition {
        fields = List.copyOf(fields);
    }
}
