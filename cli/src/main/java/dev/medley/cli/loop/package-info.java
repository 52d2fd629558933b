/**
 * Runs loops, and tells what they did and why.
 *
 * <p>May use: picocli, loop. Never: training.
 *
 * <p>Thread: the command's.
 */
@NullMarked
package dev.medley.cli.loop;

import org.jspecify.annotations.NullMarked;
