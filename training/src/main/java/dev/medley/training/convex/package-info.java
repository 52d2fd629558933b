/**
 * Moves linear models by sums over all training samples.
 *
 * <p>May use: base, tensor, the seam in {@code training.strategy}. Never: the exchange.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.training.convex;

import org.jspecify.annotations.NullMarked;
