/**
 * Answers with trained models over HTTP and gRPC.
 *
 * <p>May use: inference, onnx, data, store, record, base, Armeria. Never: control, training.
 *
 * <p>Thread: said by each package below.
 */
@NullMarked
package dev.medley.serving;

import org.jspecify.annotations.NullMarked;
