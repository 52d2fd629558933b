/**
 * How a worker's state travels to a peer that is behind, and to and from the disk.
 *
 * <p>May use: base, exchange, store, training.loop. Never: sockets.
 *
 * <p>Thread: the training thread.
 */
@NullMarked
package dev.medley.training.recovery;

import org.jspecify.annotations.NullMarked;
