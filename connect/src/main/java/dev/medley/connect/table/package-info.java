/**
 * Says what the columns of a table are, in words that every source and destination shares, and what
 * a source is: it opens a {@link dev.medley.connect.table.TableView}, which reads rows into a
 * {@link dev.medley.connect.table.RowSink} in batches of bounded size and then names the position
 * from which the next sync goes on.
 *
 * <p>May use: base. Never: a source's own library.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.connect.table;

import org.jspecify.annotations.NullMarked;
