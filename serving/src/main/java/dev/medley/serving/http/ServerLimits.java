package dev.medley.serving.http;

import static dev.medley.base.ConfigException.check;

import java.time.Duration;

/**
 * Bounds what callers may take.
 *
 * @param bodyBytes of one request
 * @param heldBytes of all bodies at the same time
 * @param connections at the same time
 * @param request from its first line until its answer is sent
 * @param idle of a connection on which nothing is asked
 * @param drain for requests under way when the server ends
 */
public record ServerLimits(
        int bodyBytes,
        long heldBytes,
        int connections,
        Duration request,
        Duration idle,
        Duration drain) {
    public ServerLimits {
        check(bodyBytes >= 1, "a body of at most %d bytes: give 1 or more", bodyBytes);
        check(heldBytes >= bodyBytes, "all bodies may hold %d bytes: less than one", heldBytes);
        check(connections >= 1, "%d connections: give 1 or more", connections);
        check(
                !request.isNegative() && !request.isZero(),
                "a request may take %s: give more than 0",
                request);
    }

    /** As a server is used to which nothing was said. */
    public static ServerLimits usual() {
        return new ServerLimits(
                64 << 20,
                256L << 20,
                4096,
                Duration.ofSeconds(30),
                Duration.ofSeconds(120),
                Duration.ofSeconds(30));
    }
}
