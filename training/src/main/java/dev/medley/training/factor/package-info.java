/**
 * Trains factorisations together: steps in which the rows that samples touch travel, and rounds of
 * alternating least squares.
 *
 * <p>May use: base, exchange, tensor's factorisations, the seam of strategies. Never: files, the
 * coordinator.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.training.factor;

import org.jspecify.annotations.NullMarked;
