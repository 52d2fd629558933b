/**
 * Asks a hub over HTTP.
 *
 * <p>May use: base, net's certificates, the service, the JDK's HTTP client. Never: the hub itself.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.hub.client;

import org.jspecify.annotations.NullMarked;
