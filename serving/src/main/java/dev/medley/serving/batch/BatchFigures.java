package dev.medley.serving.batch;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts batches.
 *
 * <p>Thread: any.
 */
public final class BatchFigures {
    private final LongAdder batches = new LongAdder();
    private final LongAdder fillNs = new LongAdder();
    private final LongAdder forwardNs = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final Map<Integer, OfSize> sizes = new ConcurrentSkipListMap<>();

    private static final class OfSize {
        private final LongAdder count = new LongAdder();
        private final LongAdder fillNs = new LongAdder();
        private final LongAdder forwardNs = new LongAdder();
    }

    /**
     * What batches of one size took.
     *
     * @param count of them
     */
    public record Sum(long count, long fillNs, long forwardNs) {}

    void batch(int size, long tookFillNs, long tookForwardNs) {
        batches.increment();
        fillNs.add(tookFillNs);
        forwardNs.add(tookForwardNs);
        OfSize same = sizes.computeIfAbsent(size, s -> new OfSize());
        same.count.increment();
        same.fillNs.add(tookFillNs);
        same.forwardNs.add(tookForwardNs);
    }

    void refused() {
        refused.increment();
    }

    void late() {
        late.increment();
    }

    /** All batches. */
    public Sum all() {
        return new Sum(batches.sum(), fillNs.sum(), forwardNs.sum());
    }

    /** Callers that were sent away for want of room. */
    public long sentAway() {
        return refused.sum();
    }

    /** Callers whose time was over. */
    public long tooLate() {
        return late.sum();
    }

    /** By rows of a batch. */
    public Map<Integer, Sum> bySize() {
        Map<Integer, Sum> all = new TreeMap<>();
        sizes.forEach(
                (size, of) ->
                        all.put(
                                size,
                                new Sum(of.count.sum(), of.fillNs.sum(), of.forwardNs.sum())));
        return all;
    }
}
