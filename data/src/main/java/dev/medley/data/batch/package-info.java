/**
 * Reads samples as batches, some ahead of the training thread.
 *
 * <p>May use: base, the orders, prepared data, shards, and the decoders of tables, images and
 * texts. Never: LibTorch, sockets.
 *
 * <p>Thread: a stream says which thread it belongs to; readers have threads of their own.
 */
@NullMarked
package dev.medley.data.batch;

import org.jspecify.annotations.NullMarked;
