/**
 * Reads a table's column of texts as token sequences, each with the class that another column says.
 *
 * <p>May use: base, data.encoding, data.shard, data.table, data.token. Never: LibTorch, sockets.
 *
 * <p>Thread: ingest on the thread that prepares; a decoder belongs to one thread.
 */
@NullMarked
package dev.medley.data.table.labelled;

import org.jspecify.annotations.NullMarked;
