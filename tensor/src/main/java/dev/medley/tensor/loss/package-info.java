/**
 * Computes the losses that training minimises: sums over samples or tokens, with the weight to
 * divide by.
 *
 * <p>May use: base, tensor's own root. Never: LibTorch's bindings, layers, optimizers.
 *
 * <p>Thread: a loss keeps no state and may be used by several threads.
 */
@NullMarked
package dev.medley.tensor.loss;

import org.jspecify.annotations.NullMarked;
