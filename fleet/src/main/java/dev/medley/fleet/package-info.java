/**
 * Decides which job gets which machines of a fleet, keeps what it decided from, and plays both on
 * virtual time. It starts nothing: a hub acts on its decisions, and so may an operator.
 *
 * <p>May use: base, store's files, tensor for the learned policy. Never: sockets, processes, wall
 * clocks.
 *
 * <p>Thread: see each package.
 */
@NullMarked
package dev.medley.fleet;

import org.jspecify.annotations.NullMarked;
