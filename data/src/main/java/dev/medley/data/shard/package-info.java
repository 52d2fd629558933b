/**
 * Keeps decoded samples on disk and in memory: fixed-length records in blocks of some thousand,
 * written once, read by block, kept by use.
 *
 * <p>May use: base, data.encoding. Never: DuckDB, LibTorch, sockets.
 *
 * <p>Thread: writers, decoders and batch buffers belong to one thread; {@link
 * dev.medley.data.shard.BlockCache} may be shared.
 */
@NullMarked
package dev.medley.data.shard;

import org.jspecify.annotations.NullMarked;
