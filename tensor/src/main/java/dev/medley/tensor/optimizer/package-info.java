/**
 * Moves parameters along the gradient: rules with PyTorch's definitions, fused over flat buffers,
 * in LibTorch or in plain Java.
 *
 * <p>May use: base, tensor's root and its layers' layout. Never: LibTorch's bindings, models.
 *
 * <p>Thread: an optimizer belongs to the thread that runs the steps.
 */
@NullMarked
package dev.medley.tensor.optimizer;

import org.jspecify.annotations.NullMarked;
