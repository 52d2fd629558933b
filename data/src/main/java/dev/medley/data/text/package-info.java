/**
 * Reads text files as a stream of tokens, and windows of it as samples.
 *
 * <p>May use: base, data.encoding, data.shard, data.token. Never: DuckDB, LibTorch, sockets.
 *
 * <p>Thread: ingest on the thread that prepares; a decoder belongs to one thread.
 */
@NullMarked
package dev.medley.data.text;

import org.jspecify.annotations.NullMarked;
