/**
 * Reads images of IDX files and of folders, which are bytes on disk and floats in batches.
 *
 * <p>May use: base, data.encoding, data.shard, javax.imageio. Never: DuckDB, LibTorch, sockets.
 *
 * <p>Thread: ingest on the thread that prepares, which decodes files on all cores; a decoder
 * belongs to one thread.
 */
@NullMarked
package dev.medley.data.image;

import org.jspecify.annotations.NullMarked;
