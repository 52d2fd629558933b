/**
 * Measures whether a model in eight bits is worth having here: faster, and nearly as good.
 *
 * <p>May use: inference, onnx, data, {@code api.run} for the data of the model's job. Never: the
 * command line.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package dev.medley.api.int8;

import org.jspecify.annotations.NullMarked;
