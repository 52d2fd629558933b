/**
 * Shows a run on the terminal: live progress, interrupts, and how it ended.
 *
 * <p>May use: api's runs, records of profile, terminal. Never: options of the command line.
 *
 * <p>Thread: observers are called by the coordinating thread, interrupts by the JVM's signal
 * thread.
 */
@NullMarked
package dev.medley.cli.train;

import org.jspecify.annotations.NullMarked;
