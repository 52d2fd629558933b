package dev.medley.serving.explain;

import static dev.medley.base.ConfigException.check;

/**
 * Bounds what explanations may take.
 *
 * @param threads that compute them
 * @param queue requests that may wait
 * @param rows of one request
 * @param share of the requests of which a row is explained for the figures, from 0 to 1
 */
public record ExplainLimits(int threads, int queue, int rows, double share) {
    /** As a server is used to which nothing was said. */
    public static final ExplainLimits USUAL = new ExplainLimits(1, 64, 1000, 0);

    public ExplainLimits {
        check(threads >= 1, "%d threads that explain: give 1 or more", threads);
        check(queue >= 1, "%d explanations may wait: give 1 or more", queue);
        check(rows >= 1, "%d rows to explain: give 1 or more", rows);
        check(
                share >= 0 && share <= 1,
                "--explain-sample %s: give a share of the requests, from 0 to 1, or 0%% to 100%%",
                share);
    }

    /** The same with another share. */
    public ExplainLimits withShare(double other) {
        return new ExplainLimits(threads, queue, rows, other);
    }
}
