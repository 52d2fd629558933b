/**
 * Writes trained models as ONNX files, which take raw columns and give answers in other programs.
 *
 * <p>May use: base, tensor's graph, data's encodings, store, inference. Never: LibTorch, training,
 * control.
 *
 * <p>Thread: one.
 */
@NullMarked
package dev.medley.onnx;

import org.jspecify.annotations.NullMarked;
