/**
 * Simulates machines and links on virtual time: an event queue, processors, and pipes that share
 * their bytes per second.
 *
 * <p>May use: base, profile. Never: clocks, sockets, files.
 *
 * <p>Thread: that of the simulation.
 */
@NullMarked
package dev.medley.plan.simulator.fabric;

import org.jspecify.annotations.NullMarked;
