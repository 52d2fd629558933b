package dev.medley.tenant.read;

import dev.medley.tenant.expression.SqlFragment;

/**
 * Describes a column as a caller gets it.
 *
 * @param type in DuckDB's words, after the mask
 * @param value what stands in it, in a query of the source's rows
 * @param isPlain whether that is the value itself, without a mask
 */
public record VisibleColumn(String name, String type, SqlFragment value, boolean isPlain) {}
