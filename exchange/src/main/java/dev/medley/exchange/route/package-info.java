/**
 * Chooses the path of a slice between machines and sites. It knows the sites of ranks, the order of
 * a ring, the cut of a slice into cells with an owner at every site, and the choice between schemes
 * by what is measured. The formulas of their cost are in {@code base.route} and in {@code
 * docs/exchange.md}.
 *
 * <p>May use: base, exchange.sum. Never: links, clocks, files.
 *
 * <p>Thread: values and pure functions.
 */
@NullMarked
package dev.medley.exchange.route;

import org.jspecify.annotations.NullMarked;
