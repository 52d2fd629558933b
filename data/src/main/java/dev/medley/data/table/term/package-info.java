/**
 * Turns texts to terms: the few of many features that a row has. Words are found, counted, weighted
 * and hashed here.
 *
 * <p>May use: base, encodings. Never: DuckDB, files.
 *
 * <p>Thread: the thread that prepares.
 */
@NullMarked
package dev.medley.data.table.term;

import org.jspecify.annotations.NullMarked;
