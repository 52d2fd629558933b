/**
 * Brings a source's table into its snapshot, and proves afterwards that both are equal.
 *
 * <p>May use: base, connect.table, connect.schema, connect.snapshot. Never: a certain source.
 *
 * <p>Thread: one a sync.
 */
@NullMarked
package dev.medley.connect.sync;

import org.jspecify.annotations.NullMarked;
