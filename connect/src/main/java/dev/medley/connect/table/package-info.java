/**
 * Says what the columns of a table are, in words that every source and destination shares.
 *
 * <p>May use: base. Never: a source's own library.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.connect.table;

import org.jspecify.annotations.NullMarked;
