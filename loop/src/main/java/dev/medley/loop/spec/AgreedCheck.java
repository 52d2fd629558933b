package dev.medley.loop.spec;

import dev.medley.loop.check.DataCheck;

/**
 * Says what was agreed of a table.
 *
 * @param table a source's name, {@link #ROWS} or {@link #JOINED}
 */
public record AgreedCheck(String table, DataCheck check) {
    /** What the query of the rows gives. */
    public static final String ROWS = "rows";

    /** The rows to learn from and to judge by, with their features. */
    public static final String JOINED = "joined";
}
