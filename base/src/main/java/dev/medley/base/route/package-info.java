/**
 * What a sum over several sites costs: who stands where, what links can do, and the schemes by
 * which a slice crosses borders with the formula of each. The exchange chooses by it, and whoever
 * predicts a run before there is one counts by the same formulas ({@code docs/exchange.md}). And
 * through whom those members reach each other of whom neither can be dialled, and to whom each
 * sends next where they exchange one by one.
 *
 * <p>May use: base. Never: links, clocks, files.
 *
 * <p>Thread: values and pure functions.
 */
@NullMarked
package dev.medley.base.route;

import org.jspecify.annotations.NullMarked;
