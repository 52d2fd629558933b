/**
 * Computes self-attention and the block of a transformer around it.
 *
 * <p>May use: base, tensor. Never: networks, files.
 *
 * <p>Thread: that of the model.
 */
@NullMarked
package dev.medley.tensor.attention;

import org.jspecify.annotations.NullMarked;
