package dev.medley.api.track;

import java.time.Duration;

/**
 * Bounds how long a tracker waits for its server.
 *
 * @param answer for one answer, and for a file to move on by a byte
 * @param beginning before training begins, whatever the server does
 * @param silence at the end of a run, for a server that has answered before and does no more
 * @param end at the end of a run, for one that is only slow; the time that its files take comes on
 *     top
 */
record MlflowPatience(Duration answer, Duration beginning, Duration silence, Duration end) {
    /** Of a command. */
    static MlflowPatience usual() {
        return new MlflowPatience(
                Duration.ofSeconds(10),
                Duration.ofSeconds(5),
                Duration.ofSeconds(15),
                Duration.ofMinutes(2));
    }
}
