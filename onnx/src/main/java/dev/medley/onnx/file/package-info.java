/**
 * Turns graphs into the bytes of an ONNX file: messages of Protocol Buffers, without a library.
 *
 * <p>May use: base, tensor.graph. Never: models, encodings, LibTorch.
 *
 * <p>Thread: one.
 */
@NullMarked
package dev.medley.onnx.file;

import org.jspecify.annotations.NullMarked;
