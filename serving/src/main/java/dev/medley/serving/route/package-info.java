/**
 * Sends each request to the server that will answer it soonest: Prequal's choice, probes, what is
 * done when a server fails or ends.
 *
 * <p>May use: base, record's figures, serving's http, load and host, Armeria. Never: models,
 * engines.
 *
 * <p>Thread: Armeria's event loops; the choice and the pool know neither clocks nor threads.
 */
@NullMarked
package dev.medley.serving.route;

import org.jspecify.annotations.NullMarked;
