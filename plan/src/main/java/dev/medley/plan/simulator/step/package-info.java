/**
 * Steps of simulated workers: how a step is cut into slices, what a worker computes, and how
 * workers of a site step together.
 *
 * <p>May use: base, the simulator's fabric and sums. Never: clocks, sockets, files.
 *
 * <p>Thread: a simulation belongs to the thread that runs it.
 */
@NullMarked
package dev.medley.plan.simulator.step;

import org.jspecify.annotations.NullMarked;
