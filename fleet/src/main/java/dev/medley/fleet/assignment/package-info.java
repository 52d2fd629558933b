/**
 * Assigns jobs to machines so that a sum of weights is greatest: exact, with ties that repeat.
 *
 * <p>May use: base. Never: clocks, randomness.
 *
 * <p>Thread: any; no state.
 */
@NullMarked
package dev.medley.fleet.assignment;

import org.jspecify.annotations.NullMarked;
