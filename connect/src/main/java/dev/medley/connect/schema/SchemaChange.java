package dev.medley.connect.schema;

/**
 * Tells one change of a column and what was decided.
 *
 * @param column by its name in the snapshot, or in the source where it is new
 * @param why one sentence
 */
public record SchemaChange(ChangeKind kind, String column, SchemaMode mode, String why) {}
