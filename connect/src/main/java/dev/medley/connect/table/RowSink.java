package dev.medley.connect.table;

import java.io.IOException;
import tools.jackson.databind.JsonNode;

/** Takes the rows of a source, batch by batch. */
@FunctionalInterface
public interface RowSink {
    /** Takes the rows of {@code batch}; the source uses it again for the next ones. */
    void accept(RowBatch batch) throws IOException;

    /**
     * Hears that after a cut the source can go on from here: given to {@link TableSource#open} as
     * {@link SyncStart#resume}, {@code resume} spares it all rows so far. A source that cannot go
     * on never says so.
     */
    default void resumable(JsonNode resume) throws IOException {}
}
