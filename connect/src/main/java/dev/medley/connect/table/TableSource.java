package dev.medley.connect.table;

import java.io.IOException;

/**
 * Reads a table elsewhere. What the user has to change is a {@link dev.medley.base.ConfigException}
 * (credentials, a name, rights); what may be gone at the next attempt is an {@link IOException}
 * (network, server, time-out). Both have one message that names the table and holds no secret.
 *
 * <p>Thread: one sync at a time.
 */
public interface TableSource {
    /** What it is called in messages and files, without a secret. */
    String name();

    /** Opens the table as it is now. */
    TableView open(SyncStart start) throws IOException;
}
