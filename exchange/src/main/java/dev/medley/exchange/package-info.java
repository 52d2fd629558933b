/**
 * Sums values over many processes: a worker's endpoint, the forming of a collective for each epoch,
 * and the collective itself. The collective sums slices of one buffer while the training thread
 * computes. The algorithms are described in {@code docs/exchange.md}.
 *
 * <p>May use: base, net. Never: tensor, training, control.
 *
 * <p>Thread: a collective has one exchange thread; its state belongs to whoever holds its role,
 * which is that thread while the training thread computes and the training thread while it waits.
 */
@NullMarked
package dev.medley.exchange;

import org.jspecify.annotations.NullMarked;
