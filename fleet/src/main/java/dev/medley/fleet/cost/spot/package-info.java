/**
 * Decides for one job with a deadline, step by step, whether it waits, or runs on a spot machine or
 * one on demand, and in which zone. A decision sees the past alone and says why in a sentence.
 *
 * <p>May use: base. Never: clocks, files, randomness.
 *
 * <p>Thread: any; policies keep nothing.
 */
@NullMarked
package dev.medley.fleet.cost.spot;

import org.jspecify.annotations.NullMarked;
