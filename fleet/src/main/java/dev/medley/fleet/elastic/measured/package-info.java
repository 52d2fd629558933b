/**
 * Reads what was measured of models, and workloads of them, in the format of Pollux's simulator.
 *
 * <p>May use: base. Never: clocks, randomness.
 *
 * <p>Thread: one; tables remember what they interpolated.
 */
@NullMarked
package dev.medley.fleet.elastic.measured;

import org.jspecify.annotations.NullMarked;
