/**
 * Writes the pages that people read: the self-contained page of one run, and that of a simulation.
 *
 * <p>May use: base, record, machine. Never: the network; the page has to open without one.
 *
 * <p>Thread: pure functions of a run folder.
 */
@NullMarked
package dev.medley.record.report;

import org.jspecify.annotations.NullMarked;
