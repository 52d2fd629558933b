package dev.medley.fleet.state;

import java.util.List;

/**
 * Keeps what happened to a fleet so that it outlives the hub. An entry that was appended is there
 * after the hub was killed. Another journal may keep it on several machines.
 *
 * <p>Belongs to the hub's thread.
 */
public interface FleetJournal extends AutoCloseable {
    /** All entries that were kept, oldest first: once, before anything is appended. */
    List<FleetEntry> replay();

    /**
     * Keeps an entry before anything is done on its account.
     *
     * @throws java.io.UncheckedIOException if it cannot be kept; then nothing may be done
     */
    void append(FleetEntry entry);

    /** May forget what these entries, a whole state, overrule. */
    void snapshot(List<FleetEntry> whole);

    @Override
    void close();
}
