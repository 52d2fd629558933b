/**
 * Draws workloads and fleets to learn from: the same number gives the same ones.
 *
 * <p>May use: base, traces, the simulator, the policy's interface. Never: clocks, threads;
 * randomness only from seeds.
 *
 * <p>Thread: any; an episode is played by one.
 */
@NullMarked
package dev.medley.fleet.learning.episode;

import org.jspecify.annotations.NullMarked;
