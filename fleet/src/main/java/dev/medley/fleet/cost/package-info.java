/**
 * Knows what machines cost, and forecasts deadlines and budgets from it.
 *
 * <p>May use: base, the view. Never: clocks, sockets, randomness.
 *
 * <p>Thread: values.
 */
@NullMarked
package dev.medley.fleet.cost;

import org.jspecify.annotations.NullMarked;
