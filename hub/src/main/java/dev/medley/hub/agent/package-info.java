/**
 * Offers this machine to a hub for as long as it likes: reports it, and serves the runs that the
 * hub names.
 *
 * <p>May use: base, net's tokens, api's agent, profile, the service. Never: the hub itself.
 *
 * <p>Thread: the agent's, and one for each run that is served.
 */
@NullMarked
package dev.medley.hub.agent;

import org.jspecify.annotations.NullMarked;
