package dev.medley.hub.http;

import dev.medley.base.ConfigException;
import java.time.Duration;

/**
 * Bounds the time that a caller may take.
 *
 * @param request from its first line until its answer is sent
 * @param submit the same for a job, whose file is checked
 * @param idle of a connection on which nothing is asked
 * @param age of a connection, after which it takes no more requests
 */
record HubLimits(Duration request, Duration submit, Duration idle, Duration age) {
    HubLimits {
        ConfigException.check(
                !request.isNegative() && !request.isZero() && submit.compareTo(request) >= 0,
                "a request may take %s and a job %s; give times above 0, the job's no less",
                request,
                submit);
    }

    /** As a hub is used. */
    static HubLimits usual() {
        return new HubLimits(
                Duration.ofSeconds(15),
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Duration.ofMinutes(2));
    }

    /** All the same, for tests that wait for them. */
    static HubLimits ofMillis(long millis) {
        Duration all = Duration.ofMillis(millis);
        return new HubLimits(all, all, all, Duration.ofSeconds(1).plus(all));
    }
}
