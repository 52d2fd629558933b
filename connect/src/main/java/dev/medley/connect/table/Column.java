package dev.medley.connect.table;

/**
 * Describes one column of a table.
 *
 * @param id what its source knows it by when its name changes, or its name where the source has
 *     nothing better
 * @param name what it is called now
 * @param nullable whether a row may lack a value here
 */
public record Column(String id, String name, ColumnType type, boolean nullable) {}
