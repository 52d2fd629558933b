/**
 * Takes a loop through its stages, each of which can be repeated: what was done is not done again,
 * what was cut off is.
 *
 * <p>May use: the loop's other packages, connect, api, serving's registry. Never: control.
 *
 * <p>Thread: one a run.
 */
@NullMarked
package dev.medley.loop.stage;

import org.jspecify.annotations.NullMarked;
