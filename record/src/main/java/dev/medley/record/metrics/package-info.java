/**
 * Serves a run's live figures for Prometheus and its page as it is now, over HTTP.
 *
 * <p>May use: base, record, machine, report, the JDK's HTTP server. Never: the data path, other
 * modules.
 *
 * <p>Thread: one writer at a time follows the run; any number of HTTP threads read the last
 * published snapshot.
 */
@NullMarked
package dev.medley.record.metrics;

import org.jspecify.annotations.NullMarked;
