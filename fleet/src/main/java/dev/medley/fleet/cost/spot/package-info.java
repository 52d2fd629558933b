/**
 * Decides step by step where a job with a deadline runs: on a spot machine, on demand, or nowhere
 * for now, and in which zone. A decision sees the past alone and says why in a sentence.
 *
 * <p>May use: base. Never: clocks, files, randomness.
 *
 * <p>Thread: any; policies keep nothing.
 */
@NullMarked
package dev.medley.fleet.cost.spot;

import org.jspecify.annotations.NullMarked;
