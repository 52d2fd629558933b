/**
 * Adds what stands before and behind a network to its graph: from raw columns to its inputs, and
 * from its outputs to answers.
 *
 * <p>May use: base, tensor.graph, data.encoding. Never: models, files, LibTorch.
 *
 * <p>Thread: one.
 */
@NullMarked
package dev.medley.onnx.stage;

import org.jspecify.annotations.NullMarked;
