/**
 * Decides for one job with a deadline, step by step, on which machine it runs, or that it waits.
 * Machines are spot or on demand, in several zones. A decision sees the past alone and says why in
 * a sentence.
 *
 * <p>May use: base. Never: clocks, files, randomness.
 *
 * <p>Thread: any; policies keep nothing.
 */
@NullMarked
package dev.medley.fleet.cost.spot;

import org.jspecify.annotations.NullMarked;
