/**
 * Holds what spot machines cost, and when they could be had: series over time by region, read from
 * the logs that others publish.
 *
 * <p>May use: base. Never: clocks, sockets, randomness.
 *
 * <p>Thread: values; readers belong to the caller.
 */
@NullMarked
package dev.medley.fleet.cost.market;

import org.jspecify.annotations.NullMarked;
