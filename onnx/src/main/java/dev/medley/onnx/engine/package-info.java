/**
 * Computes a model's outputs, by LibTorch or by ONNX Runtime, whichever is faster here.
 *
 * <p>May use: base, inference, onnx, ONNX Runtime. Never: protocols, files.
 *
 * <p>Thread: an engine computes for several threads at once.
 */
@NullMarked
package dev.medley.onnx.engine;

import org.jspecify.annotations.NullMarked;
