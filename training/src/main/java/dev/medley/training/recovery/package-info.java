/**
 * Copies the state of a run to the members that are behind.
 *
 * <p>May use: base, exchange, store, training.loop. Never: sockets.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.training.recovery;

import org.jspecify.annotations.NullMarked;
