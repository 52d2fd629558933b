/**
 * Keeps snapshots of tables in an object store, of which folders of machines are copies.
 *
 * <p>May use: connect.snapshot, store, base. Never: where rows come from.
 *
 * <p>Thread: one; a folder belongs to one sync at a time.
 */
@NullMarked
package dev.medley.connect.landing;

import org.jspecify.annotations.NullMarked;
