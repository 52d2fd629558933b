/**
 * Keeps decoded samples on disk and in memory: fixed-length records in blocks of some thousand,
 * written once, read by block, kept by use.
 *
 * <p>May use: base, store.encoding. Never: DuckDB, LibTorch, sockets.
 *
 * <p>Thread: writers, decoders and batch buffers belong to one thread; {@link
 * dev.medley.store.shard.BlockCache} may be shared.
 */
@NullMarked
package dev.medley.store.shard;

import org.jspecify.annotations.NullMarked;
