/**
 * Simulates how a sum travels: rings, trees, to everyone, and across sites.
 *
 * <p>May use: base, the simulated fabric. Never: clocks, sockets, files.
 *
 * <p>Thread: that of the simulation.
 */
@NullMarked
package dev.medley.plan.simulator.sum;

import org.jspecify.annotations.NullMarked;
