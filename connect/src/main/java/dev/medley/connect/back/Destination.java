package dev.medley.connect.back;

import java.io.IOException;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Takes rows to a table elsewhere. A row that is sent again with the same key and values changes
 * nothing there.
 *
 * <p>Thread: one.
 */
public interface Destination extends AutoCloseable {
    /** What it is called in messages, without a secret. */
    String name();

    /** Where rows go to. */
    BackTable table();

    /** Checks that the table and its columns are there and may be written. */
    void open() throws IOException;

    /**
     * Names the very table, once it is open: another database, a copy of it or a table that was
     * made anew has another identity, and does not have what was sent before.
     */
    default String identity() throws IOException {
        return name();
    }

    /** How many rows it takes at a time. */
    int mostRows();

    /**
     * Sends rows and tells what became of each. After an {@link IOException} those that it did not
     * tell of may or may not be written.
     */
    void send(List<BackRow> rows, RowOutcomes delivery) throws IOException;

    /** Finds out what became of rows that a process that was cut off had under way. */
    default void recover(JsonNode note, List<BackRow> rows, RowOutcomes delivery)
            throws IOException {}

    @Override
    default void close() throws IOException {}
}
