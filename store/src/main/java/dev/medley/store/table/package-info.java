/**
 * Reads tables of CSV, Parquet and JSON lines with DuckDB: staged once as numbers and texts, fitted
 * on the training rows, written as compact records.
 *
 * <p>May use: base, store.encoding, store.shard, store.file, DuckDB (nobody else may). Never:
 * LibTorch, sockets.
 *
 * <p>Thread: the thread that prepares; DuckDB uses all cores below. A decoder belongs to one
 * thread.
 */
@NullMarked
package dev.medley.store.table;

import org.jspecify.annotations.NullMarked;
