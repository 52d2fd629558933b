/**
 * Takes models back and brings new ones into production step by step, and remembers what must not
 * come back by itself.
 *
 * <p>May use: the loop's stages, state, decisions and spec, serving's registry. Never: sources.
 *
 * <p>Thread: one a run.
 */
@NullMarked
package dev.medley.loop.rollout;

import org.jspecify.annotations.NullMarked;
