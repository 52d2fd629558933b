package dev.medley.connect.table;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says from where a source is to read.
 *
 * @param since {@link TableView#position} of the last sync that came to its end; null if there was
 *     none
 * @param resume what the source last told {@link RowSink#resumable} in a sync with the same {@code
 *     since} that was cut off, whose rows are kept; null if there is nothing to go on with. It
 *     counts for the first reading of rows from the view alone
 */
public record SyncStart(@Nullable JsonNode since, @Nullable JsonNode resume) {
    /** From nothing: all rows. */
    public static final SyncStart FIRST = new SyncStart(null, null);
}
