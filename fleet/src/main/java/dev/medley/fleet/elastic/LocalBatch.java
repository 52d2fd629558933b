package dev.medley.fleet.elastic;

import dev.medley.fleet.elastic.trace.BatchBounds;

/**
 * Holds how a batch is cut: {@code size} samples at once on each worker, {@code accumulated} times
 * more before workers exchange.
 */
public record LocalBatch(int size, int accumulated) {
    private static final double ROUNDING = 1e-8;

    /** Samples of a step of that many workers. */
    public int total(int workers) {
        return workers * size * (accumulated + 1);
    }

    /**
     * The cut of a batch of a fixed size. One worker alone with more than the initial batch
     * accumulates at least once, as it could not measure the noise of its gradient otherwise.
     */
    static LocalBatch of(double batch, int workers, BatchBounds bounds) {
        double local = batch / workers;
        int accumulated = (int) Math.ceil(local / bounds.maxLocal() - ROUNDING) - 1;
        if (workers == 1 && batch > bounds.initial() + ROUNDING) {
            accumulated = Math.max(1, accumulated);
        }
        accumulated = Math.max(0, accumulated);
        int size = (int) Math.ceil(local / (accumulated + 1) - ROUNDING);
        return new LocalBatch(size, accumulated);
    }

    /** The same, within the largest batch that was measured. */
    LocalBatch within(int workers, BatchBounds bounds) {
        int most = bounds.max() / (workers * (accumulated + 1));
        return size <= most ? this : new LocalBatch(most, accumulated);
    }
}
