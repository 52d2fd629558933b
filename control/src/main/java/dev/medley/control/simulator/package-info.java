/**
 * A training cluster on virtual time: machines that compute, links that fill, slices that are
 * summed by the schemes of the exchange, shares that the planner's own policies cut. A
 * discrete-event model, whole from one seed ({@code docs/simulate.md}).
 *
 * <p>May use: base, profile's records of clusters, speeds and runs, the planner, the codec plan of
 * the forecast. Never: clocks, sockets, files.
 *
 * <p>Thread: a simulation belongs to the thread that runs it; its inputs and results are values.
 */
@NullMarked
package dev.medley.control.simulator;

import org.jspecify.annotations.NullMarked;
