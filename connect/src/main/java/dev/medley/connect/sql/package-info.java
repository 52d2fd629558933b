/**
 * Moves batches of rows into DuckDB and out of it, and values between their staged form and that of
 * files.
 *
 * <p>May use: connect.table, data's engine. Never: what the rows are for.
 *
 * <p>Thread: one.
 */
@NullMarked
package dev.medley.connect.sql;

import org.jspecify.annotations.NullMarked;
