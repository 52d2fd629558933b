/**
 * Reads and writes object stores that several machines reach: what one machine puts into a store,
 * the others fetch.
 *
 * <p>May use: base, Apache OpenDAL. Never: what the objects hold.
 *
 * <p>Thread: calls work on the caller's thread and wait for the store with a deadline.
 */
@NullMarked
package dev.medley.store.object;

import org.jspecify.annotations.NullMarked;
