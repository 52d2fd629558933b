/**
 * Plays elastic jobs on a cluster from measured step times and gradient noise, as the simulator of
 * Pollux does, and shares the cluster among them.
 *
 * <p>Re-implemented after github.com/petuum/adaptdl, branch osdi21-artifact, folder simulator
 * (Apache-2.0; Qiao et al., Pollux, OSDI 2021); no code of it is here. Work of a job is counted in
 * steps of its initial batch, as adascale does: a step of a larger batch counts for more.
 *
 * <p>May use: base, the policies. Never: clocks; randomness only from a seed.
 *
 * <p>Thread: one cluster is one thread's.
 */
@NullMarked
package dev.medley.fleet.elastic;

import org.jspecify.annotations.NullMarked;
