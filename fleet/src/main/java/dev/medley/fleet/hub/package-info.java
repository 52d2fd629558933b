/**
 * Decides what a hub does next: a state machine over a fleet's state, which a hub drives by its
 * clock and a test by its own.
 *
 * <p>May use: base, the state, the view, policies, rates. Never: clocks, files, processes, threads.
 *
 * <p>Thread: a hub's core belongs to one thread.
 */
@NullMarked
package dev.medley.fleet.hub;

import org.jspecify.annotations.NullMarked;
