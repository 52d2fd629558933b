/**
 * Asks a hub over HTTP, as commands, agents and programs do.
 *
 * <p>May use: hub.service, net's certificates, base, the JDK's client. Never: Armeria, the hub.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.hub.client;

import org.jspecify.annotations.NullMarked;
