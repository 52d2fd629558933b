package dev.medley.tenant.policy;

import java.util.List;

/** Finds the columns that a table has now. */
@FunctionalInterface
public interface ColumnLookup {
    /**
     * All columns in the table's order.
     *
     * @throws dev.medley.base.ConfigException if the table is not there or cannot be read
     */
    List<SourceColumn> columnsOf(TablePlace place);
}
