/**
 * Reads sequences row by row: stacks of memories, and the network around them.
 *
 * <p>May use: base, tensor. Never: files, the layout of parameters.
 *
 * <p>Thread: that of the model.
 */
@NullMarked
package dev.medley.tensor.recurrent;

import org.jspecify.annotations.NullMarked;
