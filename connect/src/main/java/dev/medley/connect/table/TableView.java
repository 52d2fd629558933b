package dev.medley.connect.table;

import java.io.IOException;
import tools.jackson.databind.JsonNode;

/**
 * Shows a table as it was at one moment, as far as its source can hold one; its class says how
 * exactly. Rows come in any order, each once.
 *
 * <p>Thread: one.
 */
public interface TableView extends AutoCloseable {
    /** Its columns and its key. */
    TableSchema schema();

    /** What it can say about changes since the position that it was opened with. */
    Changes changes() throws IOException;

    /**
     * Whether {@link #rows} goes on from {@link SyncStart#resume}. If not, what was to be gone on
     * with is no more: rows are read from the first on, and those kept before do not count.
     */
    default boolean isResumed() throws IOException {
        return false;
    }

    /** Reads rows, all columns of the schema in its order. */
    void rows(Changes.Rows which, RowSink sink) throws IOException;

    /** Reads the key of every row: the key's columns in its order. */
    void keys(RowSink sink) throws IOException;

    /**
     * Where to go on next time, once all rows of this view are kept. To be asked for when they have
     * been read.
     */
    JsonNode position();

    /** Ends a read that another thread is in, where the source can; to be closed all the same. */
    default void cut() throws IOException {}

    @Override
    void close() throws IOException;
}
