/**
 * Serves a hub over HTTP: one table of routes, tokens with roles, errors as JSON with one sentence,
 * and limits for callers that mean no good. The document of the interface is made from the table.
 *
 * <p>May use: hub.service, hub.page, hub.metrics, net's certificates, base, Armeria. Never: the hub
 * itself, processes.
 *
 * <p>Thread: Armeria's event loops read and write; a service is asked on its blocking threads.
 */
@NullMarked
package dev.medley.hub.http;

import org.jspecify.annotations.NullMarked;
