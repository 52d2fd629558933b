/**
 * Holds the computation of a network as a graph of ONNX's operators, which others than LibTorch can
 * run. Layers add their part; what becomes of the graph is not known here.
 *
 * <p>May use: base, layers' parameters by name. Never: LibTorch, files.
 *
 * <p>Thread: one.
 */
@NullMarked
package dev.medley.tensor.graph;

import org.jspecify.annotations.NullMarked;
