/**
 * Plays a workload on a fleet in virtual time, with the policies that decide in a hub.
 *
 * <p>May use: base, the view, policies, traces. Never: clocks, threads; randomness only from seeds.
 *
 * <p>Thread: a simulation belongs to the thread that runs it.
 */
@NullMarked
package dev.medley.fleet.simulation;

import org.jspecify.annotations.NullMarked;
