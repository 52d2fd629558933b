/**
 * Finds the type and form of each column and stages a table's rows by them.
 *
 * <p>May use: base, the engine, CSV files, encodings, shards. Never: what a model makes of a
 * column.
 *
 * <p>Thread: the thread that prepares.
 */
@NullMarked
package dev.medley.data.table.column;

import org.jspecify.annotations.NullMarked;
