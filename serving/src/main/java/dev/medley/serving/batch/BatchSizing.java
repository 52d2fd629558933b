package dev.medley.serving.batch;

import java.util.Locale;
import java.util.function.Supplier;

/**
 * Decides how many rows a batch takes. A free engine never waits for more rows: while it computes,
 * others gather by themselves, the more the busier it is. A batch takes no longer than half of the
 * goal, since who comes when one has just begun waits for it and then for its own.
 */
public final class BatchSizing {
    private static final int TRIED_ROWS = 8;

    private BatchSizing() {}

    /**
     * A decision.
     *
     * @param rows at most
     * @param words say why; made when somebody asks, since there is a decision for each batch
     */
    public record Decision(int rows, Supplier<String> words) {
        /** A sentence. */
        public String why() {
            return words.get();
        }
    }

    /** Rows of a batch at most, by what batches took so far. */
    public static Decision most(ServiceTime time, BatchLimits limits) {
        if (!time.isKnown()) {
            int first = Math.min(TRIED_ROWS, limits.mostRows());
            return new Decision(first, () -> "nothing is measured yet");
        }
        double goalNs = limits.p99Ns() / 2.0;
        double perRow = time.perRowNs();
        double fixed = time.fixedNs();
        if (fixed >= goalNs) {
            // However small, a batch is late: as many as there are, so that the fewest wait long.
            return new Decision(
                    limits.mostRows(),
                    () ->
                            String.format(
                                    Locale.ROOT,
                                    "a batch of one row takes %.1f ms, so %.0f ms cannot be kept",
                                    time.ofNs(1) / 1e6,
                                    limits.p99Ns() / 1e6));
        }
        double rows = perRow == 0 ? limits.mostRows() : (goalNs - fixed) / perRow;
        int most = (int) Math.max(1, Math.min(limits.mostRows(), rows));
        return new Decision(
                most,
                () ->
                        String.format(
                                Locale.ROOT,
                                "%d rows take %.2f ms, within half of %.0f ms",
                                most,
                                time.ofNs(most) / 1e6,
                                limits.p99Ns() / 1e6));
    }

    /** Seconds after which a caller that is sent away should come back: when what waits is done. */
    public static long retryAfterS(ServiceTime time, BatchLimits limits, int waitingRows) {
        int most = most(time, limits).rows();
        double ns = Math.ceil(waitingRows / (double) most) * time.ofNs(most);
        return Math.max(1, (long) Math.ceil(ns / 1e9));
    }
}
