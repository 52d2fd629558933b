/**
 * Simulates rounds without a common sum: letters of a gossip, pushes to servers, a quorum that does
 * not wait.
 *
 * <p>May use: base, the simulated fabric. Never: clocks, sockets, files.
 *
 * <p>Thread: that of the simulation.
 */
@NullMarked
package dev.medley.plan.simulator.round;

import org.jspecify.annotations.NullMarked;
