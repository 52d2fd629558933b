/**
 * Serves a hub over HTTP: routes, who may use them, and what callers may send.
 *
 * <p>May use: base, net's tokens and certificates, the service, Armeria. Never: the core, files of
 * jobs.
 *
 * <p>Thread: the server's; handlers block on its blocking threads.
 */
@NullMarked
package dev.medley.hub.http;

import org.jspecify.annotations.NullMarked;
