/**
 * Fits an encoding on the training rows: which columns count, their categories, scales and labels.
 *
 * <p>May use: base, the engine, columns, encodings, shards. Never: records of samples.
 *
 * <p>Thread: the thread that prepares.
 */
@NullMarked
package dev.medley.data.table.fit;

import org.jspecify.annotations.NullMarked;
