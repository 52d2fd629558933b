/**
 * Simulates a training cluster on virtual time, as a discrete-event model that one seed determines
 * ({@code docs/simulate.md}). Machines compute, links fill, slices are summed by the schemes of the
 * exchange, and the planner's own policies cut the shares.
 *
 * <p>May use: base, profile's records of clusters, speeds and runs, the planner, the codec plan of
 * the forecast. Never: clocks, sockets, files.
 *
 * <p>Thread: a simulation belongs to the thread that runs it; its inputs and results are values.
 */
@NullMarked
package dev.medley.control.simulator;

import org.jspecify.annotations.NullMarked;
