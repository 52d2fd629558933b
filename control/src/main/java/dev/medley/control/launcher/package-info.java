/**
 * Starts workers and reports how they ended.
 *
 * <p>May use: base, the JDK's processes. Never: training: a launcher is told which class to start.
 *
 * <p>Thread: ends are reported on the launcher's own threads.
 */
@NullMarked
package dev.medley.control.launcher;

import org.jspecify.annotations.NullMarked;
