/**
 * Takes answers back to where people work: only rows whose values changed are sent, each is written
 * once whatever is cut off, and what a destination refuses is kept with its reason.
 *
 * <p>May use: base, store, data's DuckDB, connect.table. Never: a source; a destination's own
 * library.
 *
 * <p>Thread: one a write-back.
 */
@NullMarked
package dev.medley.connect.back;

import org.jspecify.annotations.NullMarked;
