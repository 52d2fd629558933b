/**
 * Decides when a model is trained anew and which model answers: pure functions of figures, each
 * with a sentence why.
 *
 * <p>May use: base, the loop's spec. Never: files, clocks.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.loop.decide;

import org.jspecify.annotations.NullMarked;
