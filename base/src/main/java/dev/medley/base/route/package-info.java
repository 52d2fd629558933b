/**
 * Computes what a sum over several sites costs: the sites of ranks, the figures of links, and the
 * formula of each scheme. The exchange chooses by these formulas, and forecasts of a run count by
 * the same ({@code docs/exchange.md}). Also chooses a relay for each pair of members that cannot
 * reach each other, and the next neighbour of each member where they exchange one by one.
 *
 * <p>May use: base. Never: links, clocks, files.
 *
 * <p>Thread: values and pure functions.
 */
@NullMarked
package dev.medley.base.route;

import org.jspecify.annotations.NullMarked;
