/**
 * Runs as people look at them: the self-contained page of one run, the table of all, the comparison
 * of some.
 *
 * <p>May use: base, record, machine. Never: the network; the page has to open without one.
 *
 * <p>Thread: pure functions of a run folder.
 */
@NullMarked
package dev.medley.profile.report;

import org.jspecify.annotations.NullMarked;
