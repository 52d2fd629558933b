/**
 * Computes a model's outputs, by LibTorch or by ONNX Runtime, whichever is faster here.
 *
 * <p>May use: base, inference, onnx, ONNX Runtime. Never: protocols, Armeria.
 *
 * <p>Thread: an engine computes for several threads at once.
 */
@NullMarked
package dev.medley.serving.engine;

import org.jspecify.annotations.NullMarked;
