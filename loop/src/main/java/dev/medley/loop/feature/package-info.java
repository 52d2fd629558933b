/**
 * Joins named, versioned features to rows as they were known at each row's time, so that no row
 * sees what came after it.
 *
 * <p>May use: base, DuckDB. Never: where rows come from, what is trained on them.
 *
 * <p>Thread: one a connection.
 */
@NullMarked
package dev.medley.loop.feature;

import org.jspecify.annotations.NullMarked;
