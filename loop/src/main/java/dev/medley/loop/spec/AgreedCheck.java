package dev.medley.loop.spec;

import dev.medley.loop.check.DataCheck;

/**
 * Says what was agreed of a table.
 *
 * @param table a source's name, or {@link #ROWS}
 */
public record AgreedCheck(String table, DataCheck check) {
    /** The rows to learn from. */
    public static final String ROWS = "rows";
}
