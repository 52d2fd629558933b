/**
 * Reads tables of Apache Iceberg as they are at one snapshot, and what was appended since another.
 *
 * <p>May use: connect's tables, DuckDB for Parquet, store, base, Iceberg's library. Never: writing.
 */
@NullMarked
package dev.medley.iceberg;

import org.jspecify.annotations.NullMarked;
