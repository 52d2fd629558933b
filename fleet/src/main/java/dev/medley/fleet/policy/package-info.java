/**
 * Policies: pure functions from what is known of a fleet to who gets which machines, with a
 * sentence why. The same classes decide in a hub and in the simulator.
 *
 * <p>May use: base, the view. Never: clocks, files, threads; randomness only from a seed in the
 * policy's options.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.fleet.policy;

import org.jspecify.annotations.NullMarked;
