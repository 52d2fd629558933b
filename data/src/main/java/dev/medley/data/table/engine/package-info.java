/**
 * Runs queries of DuckDB: its connection, its statements, its result as plain values.
 *
 * <p>May use: base, store.file, DuckDb's driver. Never: what a query is for.
 *
 * <p>Thread: the thread that prepares; DuckDB uses all cores below.
 */
@NullMarked
package dev.medley.data.table.engine;

import org.jspecify.annotations.NullMarked;
