package dev.medley.plan.source;

import dev.medley.plan.policy.Lateness;
import dev.medley.plan.policy.SlowLink;
import dev.medley.plan.source.PlanSource.Measured;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/**
 * Detects whether a group's exchange has become slow. The worker that waits least in a step came
 * last to its exchange, or no worker came last. Even that one waits for bytes in flight, so its
 * wait is what the links cost a step that nothing hides. A worker that computes slowly makes the
 * others wait, and not itself.
 *
 * <p>An exchange is late if that wait was longer than the bound times the usual one, and by so much
 * longer that continuing without one worker could pay: longer than the others would take for its
 * samples, and than {@value #LEAST_NS} ns. It is slow if it was late as often as makes a worker a
 * straggler; see {@link Lateness}. A late wait does not become usual.
 *
 * <p>Thread: the coordinator's agent.
 */
final class ExchangeWatch {
    /** Less is noise, however short the usual wait is. */
    private static final long LEAST_NS = 20_000_000;

    /** Steps in time of which the middle is usual, and how few of them are too few. */
    private static final int MOST_STEPS = 21;

    private static final int FEWEST_STEPS = 5;
    private static final double NS_PER_MS = 1e6;

    private final double bound;
    private final Deque<Double> inTimeNs = new ArrayDeque<>();
    private Lateness late = Lateness.NONE;
    private double lastNs;
    private double lastSentBytes;

    /**
     * Nothing is usual so far.
     *
     * @param bound times the usual at which an exchange is late
     */
    ExchangeWatch(double bound) {
        this.bound = bound;
    }

    /** A step of all members of a group of two or more. */
    void stepped(Collection<Measured> all) {
        lastSentBytes = all.stream().mapToDouble(Measured::sentBytes).max().orElse(0);
        lastNs = all.stream().mapToDouble(Measured::waitingNs).min().orElse(0);
        if (inTimeNs.size() >= FEWEST_STEPS) {
            double excessNs = lastNs - usualNs();
            boolean isWorthIt = excessNs > Math.max(LEAST_NS, samplesOfOneNs(all));
            late = late.after(isWorthIt ? lastNs / Math.max(1, usualNs()) : 0, 1, bound);
        }
        if (!late.isLate()) {
            inTimeNs.addLast(lastNs);
            if (inTimeNs.size() > MOST_STEPS) {
                inTimeNs.removeFirst();
            }
        }
    }

    /** What the others would take longer if they computed the samples of one of them. */
    private static double samplesOfOneNs(Collection<Measured> all) {
        double computeNs = all.stream().mapToDouble(Measured::computeNs).max().orElse(0);
        return computeNs / Math.max(1, all.size() - 1);
    }

    boolean isSlow() {
        return late.isStraggler();
    }

    /** What was late is dealt with. */
    void forgetLate() {
        late = Lateness.NONE;
    }

    /** Other ways are used from now on, with times of their own. */
    void forgetUsual() {
        inTimeNs.clear();
        forgetLate();
    }

    /** The last exchange. */
    SlowLink.Late late() {
        return new SlowLink.Late(lastSentBytes, lastNs - usualNs());
    }

    /** In words. */
    String why() {
        return String.format(
                Locale.ROOT,
                "all waited %.1f ms for bytes in the last step, %.1f ms are usual",
                lastNs / NS_PER_MS,
                usualNs() / NS_PER_MS);
    }

    private double usualNs() {
        List<Double> sorted = inTimeNs.stream().sorted().toList();
        return sorted.isEmpty() ? 0 : sorted.get((sorted.size() - 1) / 2);
    }
}
