/**
 * Opens a loop by its file and runs it, once or again and again.
 *
 * <p>May use: the loop's other packages. Never: a terminal.
 *
 * <p>Thread: one a loop.
 */
@NullMarked
package dev.medley.loop.run;

import org.jspecify.annotations.NullMarked;
