/**
 * Gathers the rows of many callers into batches, and gives each caller its own.
 *
 * <p>May use: base, data.shard, onnx.engine, serving.input. Never: protocols, Armeria.
 *
 * <p>Thread: any hands in; threads of the batcher compute.
 */
@NullMarked
package dev.medley.serving.batch;

import org.jspecify.annotations.NullMarked;
