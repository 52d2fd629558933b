package dev.medley.serving.traffic;

/**
 * Ranks latencies among those of the champion in the last half minute. A version counts as slower
 * only by what is beyond a quarter and a millisecond: less is the machine's, or the batch's.
 *
 * <p>Thread: one at a time.
 */
final class LatencyScale {
    private static final int CLASSES = 400;
    private static final double FIRST_NS = 10_000;
    private static final double STEP = Math.log(1.05);
    private static final double MEMORY = 0.99;
    private static final double TAIL = 0.95;
    private static final double FEWEST = 50;
    private static final double SLOWER = 1.25;
    private static final long SLOWER_NS = 1_000_000;

    private final double[] counts = new double[CLASSES];
    private final double[] below = new double[CLASSES];
    private boolean isBelowKnown;
    private double all;

    /** Whether enough was seen to rank by. */
    boolean isKnown() {
        return all >= FEWEST;
    }

    /** The champion's latencies of one more window. */
    void add(long[] latenciesNs) {
        if (latenciesNs.length == 0) {
            return;
        }
        for (int i = 0; i < CLASSES; i++) {
            counts[i] *= MEMORY;
        }
        for (long latencyNs : latenciesNs) {
            counts[at(latencyNs)]++;
        }
        isBelowKnown = false;
        all = 0;
        for (double count : counts) {
            all += count;
        }
    }

    /**
     * The latency of the champion that a latency counts as. Of a request that was still under way
     * when it was looked at nobody knows how slow it is, so that nothing is forgiven.
     */
    static long forgiven(long latencyNs) {
        return latencyNs >= VersionCount.LONG_NS ? latencyNs : least(latencyNs);
    }

    private static long least(long latencyNs) {
        return Math.max(0, Math.min((long) (latencyNs / SLOWER), latencyNs - SLOWER_NS));
    }

    /** The part of the champion's latencies that are lower, on average over some. */
    double rank(long[] latenciesNs) {
        findBelow();
        double ranks = 0;
        for (long latencyNs : latenciesNs) {
            ranks += below[at(latencyNs)];
        }
        return Math.min(1, ranks / latenciesNs.length);
    }

    /** The parts that are lower, by class; once for all that are ranked before the next window. */
    private void findBelow() {
        if (isBelowKnown) {
            return;
        }
        double sum = 0;
        for (int i = 0; i < CLASSES; i++) {
            below[i] = (sum + counts[i] / 2) / all;
            sum += counts[i];
        }
        isBelowKnown = true;
    }

    /** The part of some that are slower than 19 of 20 of the champion's. */
    double tail(long[] latenciesNs) {
        int bound = 0;
        double sum = counts[0];
        while (bound < CLASSES - 1 && sum < TAIL * all) {
            bound++;
            sum += counts[bound];
        }
        int slower = 0;
        for (long latencyNs : latenciesNs) {
            slower += at(latencyNs) > bound ? 1 : 0;
        }
        return (double) slower / latenciesNs.length;
    }

    private static int at(long latencyNs) {
        double steps = Math.log(Math.max((double) latencyNs, FIRST_NS) / FIRST_NS) / STEP;
        return (int) Math.min(CLASSES - 1, steps);
    }
}
