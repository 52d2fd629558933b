/**
 * Replaces gradients by products of two thin matrices, which PowerSGD sends in their place.
 *
 * <p>May use: base, tensor's root, its layers' layout and the optimizer's strict memory. Never: the
 * exchange, LibTorch's bindings.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.tensor.lowrank;

import org.jspecify.annotations.NullMarked;
