package dev.medley.connect.sync;

import dev.medley.connect.schema.SchemaChange;
import dev.medley.connect.snapshot.Difference;
import java.util.List;

/**
 * Tells what a sync did.
 *
 * @param version of the snapshot after it
 * @param rowsRead from the source
 * @param readAll whether that was all of them
 * @param why it was all or not, in one sentence
 * @param difference to the version before
 * @param schemaChanges in the source
 * @param droppedRows that the contract leaves out
 * @param droppedValues that it leaves out
 * @param seesDeletes whether rows that are gone were looked for
 */
public record SyncReport(
        long version,
        long rowsRead,
        boolean readAll,
        String why,
        Difference difference,
        List<SchemaChange> schemaChanges,
        long droppedRows,
        long droppedValues,
        boolean seesDeletes) {
    public SyncReport {
        schemaChanges = List.copyOf(schemaChanges);
    }
}
