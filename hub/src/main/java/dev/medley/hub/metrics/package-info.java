/**
 * Writes a fleet's figures for Prometheus.
 *
 * <p>May use: hub.service, record's text format, base. Never: HTTP, the hub itself.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.hub.metrics;

import org.jspecify.annotations.NullMarked;
