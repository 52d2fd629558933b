package dev.medley.control.event;

import dev.medley.net.door.JoinSecret;

/**
 * Names the other side of a control connection, as long as that is open.
 *
 * @param number that no other connection of the run has
 * @param kind of the secret that it has shown
 */
public record CallerId(long number, JoinSecret.Kind kind) {}
