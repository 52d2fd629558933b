package dev.medley.tenant.read;

import dev.medley.tenant.expression.SqlFragment;
import java.util.List;

/** Says whether a caller may read a table, what he sees of it, and why. */
public sealed interface ReadDecision {
    /** One sentence; it names columns and attributes, never values. */
    String why();

    /**
     * He may.
     *
     * @param filter true for the rows that he sees
     */
    record Allowed(String table, SqlFragment filter, List<VisibleColumn> columns, String why)
            implements ReadDecision {
        /** Copies the columns. */
        public Allowed {
            columns = List.copyOf(columns);
        }
    }

    /** He may not. */
    record Denied(String why) implements ReadDecision {}
}
