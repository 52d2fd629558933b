/**
 * Reads tables of PostgreSQL 13 or later. Changed rows are found by the transaction that wrote
 * them, so that none is lost that commits late; values come in binary form.
 *
 * <p>May use: base, connect.table, the PostgreSQL driver. Never: snapshots.
 *
 * <p>Thread: one a view.
 */
@NullMarked
package dev.medley.connect.postgres;

import org.jspecify.annotations.NullMarked;
