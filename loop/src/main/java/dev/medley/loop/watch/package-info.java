/**
 * Keeps what a model learnt from and what has arrived since, column by column and for its answers,
 * in bounded size: monitors say whether a column has changed, statistics how much, and damage what
 * it costs.
 *
 * <p>May use: base, data's DuckDB, the loop's column, damage, decide, drift and monitor. Never:
 * models, the loop's state.
 *
 * <p>Thread: one; values may be shared.
 */
@NullMarked
package dev.medley.loop.watch;

import org.jspecify.annotations.NullMarked;
