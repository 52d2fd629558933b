package dev.medley.serving.batch;

import static dev.medley.base.ConfigException.check;

/**
 * Bounds batches and what waits for one.
 *
 * @param p99Ns the goal: of a hundred answers at most one takes longer
 * @param mostRows of a batch
 * @param mostWaitingRows above which callers are sent away
 */
public record BatchLimits(long p99Ns, int mostRows, int mostWaitingRows) {
    /** Of a server to which nothing was said. */
    public static final BatchLimits USUAL = new BatchLimits(50_000_000L, 256, 16_384);

    public BatchLimits {
        check(p99Ns >= 1_000_000, "p99 %d ns: give at least 1ms", p99Ns);
        check(mostRows >= 1, "a batch of at most %d rows: give 1 or more", mostRows);
        check(mostWaitingRows >= 1, "at most %d rows may wait: give 1 or more", mostWaitingRows);
    }
}
