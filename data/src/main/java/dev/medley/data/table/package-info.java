/**
 * Reads tables of CSV, Parquet and JSON lines with DuckDB: staged once as numbers and texts, fitted
 * on the training rows, written as compact records.
 *
 * <p>May use: base, the table's own packages (engine, csv, column, fit), data.encoding, data.shard,
 * store.file. Never: LibTorch, sockets.
 *
 * <p>Thread: the thread that prepares; DuckDB uses all cores below. A decoder belongs to one
 * thread.
 */
@NullMarked
package dev.medley.data.table;

import org.jspecify.annotations.NullMarked;
