/**
 * Reads the form of CSV files: delimiter, quotes, lines, names of columns, decimal mark.
 *
 * <p>May use: base, the engine, encodings, shards. Never: types of columns.
 *
 * <p>Thread: the thread that prepares.
 */
@NullMarked
package dev.medley.data.table.csv;

import org.jspecify.annotations.NullMarked;
