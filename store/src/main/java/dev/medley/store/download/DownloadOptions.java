package dev.medley.store.download;

import static dev.medley.base.ConfigException.check;

/**
 * The patience of a download: its timeouts, attempts and pauses.
 *
 * @param connectTimeoutNs for a connection to come about
 * @param idleTimeoutNs without a single byte, before the connection is given up
 * @param attempts in a row that brought nothing, before the publisher is given up
 * @param firstPauseNs before the second attempt; doubled before each further one
 */
public record DownloadOptions(
        long connectTimeoutNs, long idleTimeoutNs, int attempts, long firstPauseNs) {
    private static final long SECOND_NS = 1_000_000_000L;

    public DownloadOptions {
        check(
                connectTimeoutNs > 0 && idleTimeoutNs > 0,
                "timeouts of %d and %d ns: above 0",
                connectTimeoutNs,
                idleTimeoutNs);
        check(attempts >= 1, "attempts=%d: at least 1", attempts);
        check(firstPauseNs >= 0, "firstPauseNs=%d: 0 or more", firstPauseNs);
    }

    /** Ten seconds to connect, thirty without a byte, five attempts with pauses from one second. */
    public static DownloadOptions defaults() {
        return new DownloadOptions(10 * SECOND_NS, 30 * SECOND_NS, 5, SECOND_NS);
    }

    /** How long to wait after so many attempts in a row that brought nothing. */
    long pauseNs(int fruitlessAttempts) {
        return firstPauseNs << Math.min(Math.max(0, fruitlessAttempts - 1), 6);
    }
}
