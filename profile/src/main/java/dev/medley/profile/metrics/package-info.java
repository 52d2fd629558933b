/**
 * A run's live figures for Prometheus, over HTTP.
 *
 * <p>May use: base, record, machine, the JDK's HTTP server. Never: the data path, other modules.
 *
 * <p>Thread: one writer at a time follows the run; any number of HTTP threads read the last
 * published snapshot.
 */
@NullMarked
package dev.medley.profile.metrics;

import org.jspecify.annotations.NullMarked;
