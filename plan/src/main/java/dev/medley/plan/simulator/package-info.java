/**
 * Simulates a training cluster on virtual time, as a discrete-event model that one seed determines
 * ({@code docs/simulate.md}). Machines compute, links fill, slices are summed by the schemes of the
 * exchange, and the planner's own policies cut the shares.
 *
 * <p>May use: base, profile's records of clusters, speeds and runs, plan's policies, sources and
 * codecs. Never: clocks, sockets, files.
 *
 * <p>Thread: a simulation belongs to the thread that runs it; its inputs and results are values.
 */
@NullMarked
package dev.medley.plan.simulator;

import org.jspecify.annotations.NullMarked;
