package dev.medley.serving.route;

/**
 * Bounds retries to a part of all requests, so that a fleet in trouble is not asked twice as much.
 *
 * <p>Thread: any.
 */
final class RetryBudget {
    /** Retries that may come at once, as when a server dies with its requests. */
    private static final double MOST = 300;

    private final double ratio;
    private double left = MOST;

    RetryBudget(double ratio) {
        this.ratio = ratio;
    }

    /** A request came. */
    synchronized void request() {
        left = Math.min(MOST, left + ratio);
    }

    /** Whether one may be tried again; if so, that is paid for. */
    synchronized boolean mayRetry() {
        if (left < 1) {
            return false;
        }
        left--;
        return true;
    }
}
