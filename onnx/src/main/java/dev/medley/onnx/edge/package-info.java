/**
 * Writes a trained model of a table as a folder that answers without Medley.
 *
 * <p>May use: base, data's encodings, inference, store, the graph of onnx. Never: ONNX Runtime,
 * which is only asked by who gets the folder.
 *
 * <p>Thread: the caller's.
 */
@NullMarked
package dev.medley.onnx.edge;

import org.jspecify.annotations.NullMarked;
