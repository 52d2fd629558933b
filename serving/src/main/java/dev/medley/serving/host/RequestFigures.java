package dev.medley.serving.host;

import dev.medley.serving.batch.Computed;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what callers of a model saw.
 *
 * <p>Thread: any.
 */
public final class RequestFigures {
    /** Upper bounds of the classes of latency, in seconds. */
    public static final List<Double> BOUNDS =
            List.of(
                    0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0,
                    10.0);

    private final LongAdder good = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder goodNs = new LongAdder();
    private final LongAdder failedNs = new LongAdder();
    private final LongAdder queuedNs = new LongAdder();
    private final LongAdder computedNs = new LongAdder();
    private final LongAdder rows = new LongAdder();
    private final LongAdder pending = new LongAdder();
    private final AtomicLong lastMillis = new AtomicLong();
    private final LongAdder[] latency = new LongAdder[BOUNDS.size() + 1];

    /** None yet. */
    public RequestFigures() {
        for (int i = 0; i < latency.length; i++) {
            latency[i] = new LongAdder();
        }
    }

    /** A request came in. */
    public void begin() {
        pending.increment();
    }

    /** It was answered. */
    public void good(int itsRows, long tookNs, Computed found, long wallMillis) {
        pending.decrement();
        good.increment();
        goodNs.add(tookNs);
        queuedNs.add(found.queuedNs());
        computedNs.add(found.computedNs());
        rows.add(itsRows);
        lastMillis.set(wallMillis);
        int at = 0;
        while (at < BOUNDS.size() && tookNs > BOUNDS.get(at) * 1e9) {
            at++;
        }
        latency[at].increment();
    }

    /** It failed. */
    public void failed(long tookNs) {
        pending.decrement();
        failed.increment();
        failedNs.add(tookNs);
    }

    /**
     * All of them at a moment.
     *
     * @param good requests that were answered
     * @param rows of those
     * @param pending that are under way
     * @param lastMillis wall time of the latest answer; 0 for none
     */
    public record Sum(
            long good,
            long failed,
            long goodNs,
            long failedNs,
            long queuedNs,
            long computedNs,
            long rows,
            long pending,
            long lastMillis) {}

    /** All so far. */
    public Sum sum() {
        return new Sum(
                good.sum(),
                failed.sum(),
                goodNs.sum(),
                failedNs.sum(),
                queuedNs.sum(),
                computedNs.sum(),
                rows.sum(),
                pending.sum(),
                lastMillis.get());
    }

    /** Answers by class of latency: up to each of {@link #BOUNDS}, and those above. */
    public long[] latencies() {
        long[] counts = new long[latency.length];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = latency[i].sum();
        }
        return counts;
    }
}
