/**
 * Turns files into batches: reads tables, images and texts, fits their encoding, writes shards, and
 * orders, reads and joins samples.
 *
 * <p>May use: base, store, DuckDB behind data.table. Never: LibTorch, sockets, training.
 *
 * <p>Thread: see each package.
 */
@NullMarked
package dev.medley.data;

import org.jspecify.annotations.NullMarked;
