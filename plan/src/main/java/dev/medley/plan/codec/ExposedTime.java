package dev.medley.plan.codec;

import dev.medley.plan.source.PlanSource.Measured;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/**
 * Measures the compute of steps, and the part of their exchange that compute does not hide. Both
 * are medians of the last steps, so that a pause does not count. The last worker to arrive waits
 * for the links, not for its peers: of a step's exchange the shortest that any worker saw counts.
 *
 * <p>Thread: owned by its caller.
 */
final class ExposedTime {
    /** A step may grow by that part before anybody minds. */
    static final double ALLOWANCE = 0.05;

    private static final int WINDOW = 20;

    /** Links that take less than so many times as long as was predicted are as predicted. */
    private static final double FAR_OFF = 1.5;

    private final Deque<Long> computeNs = new ArrayDeque<>();
    private final Deque<Long> exposedNs = new ArrayDeque<>();

    /** Steps of another plan follow. */
    void forget() {
        computeNs.clear();
        exposedNs.clear();
    }

    void stepped(Collection<Measured> workers) {
        add(computeNs, workers.stream().mapToLong(Measured::computeNs).max().orElse(0));
        add(
                exposedNs,
                workers.stream().mapToLong(m -> m.exchangeNs() + m.waitingNs()).min().orElse(0));
    }

    /** Compute behind which sums may travel, with what they may be late. */
    double hiddenNs(double hiddenPart) {
        return behindNs(hiddenPart + ALLOWANCE);
    }

    /** That part of a step's compute. */
    double behindNs(double part) {
        return part * median(computeNs);
    }

    /**
     * How many times as long as predicted links take. Where the exchange is felt, it took what was
     * hidden and what was not; where it is not felt, no longer than what hides it. What was seen
     * before stays in between.
     */
    double slowness(double before, double predictedNs, double hiddenPart) {
        double exposed = median(exposedNs);
        double most = hiddenNs(hiddenPart) / predictedNs;
        if (exposed <= ALLOWANCE * median(computeNs)) {
            return Math.max(1, Math.min(before, most));
        }
        double seen = (hiddenPart * median(computeNs) + exposed) / predictedNs;
        return seen > FAR_OFF ? Math.max(before, seen) : before;
    }

    private static void add(Deque<Long> window, long ns) {
        window.add(ns);
        if (window.size() > WINDOW) {
            window.remove();
        }
    }

    private static double median(Deque<Long> window) {
        long[] sorted = window.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }
}
