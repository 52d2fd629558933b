package dev.medley.connect.sync;

import dev.medley.base.Json;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.snapshot.PendingSync;
import dev.medley.connect.table.Changes;
import dev.medley.connect.table.TableSchema;

/**
 * Says under what a sync reads. The rows of one that was cut off count only for a next one that
 * would read the same.
 *
 * @param columns of the source
 * @param kept columns of the snapshot
 */
record SyncCondition(
        String source,
        TableSchema columns,
        SchemaContract contract,
        TableSchema kept,
        Changes.Rows which) {
    boolean holds(PendingSync pending) {
        return Json.line(pending.condition()).equals(Json.line(Json.tree(this)));
    }
}
