/**
 * Reads values of a table one by one, as a scan of a file with them does.
 *
 * <p>May use: base, data.encoding, data.table's columns and engine. Never: LibTorch, sockets.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.data.table.cell;

import org.jspecify.annotations.NullMarked;
