package dev.medley.serving.load;

import java.util.Arrays;

/**
 * Estimates how long a request takes at a number of requests in flight, by what recent ones took
 * that began at about that number: the server's side of Prequal (Wydrowski et al., Load is not what
 * you should balance, NSDI 2024).
 *
 * <p>Thread: any.
 */
public final class LoadEstimate {
    private static final int EXACT = 16;
    private static final int CLASSES = EXACT + 16;
    private static final int KEPT = 16;

    /** Older ones say nothing of now; a server of which nothing is known is worth a try. */
    private static final long RECENT_NS = 5_000_000_000L;

    private final long[][] tookNs = new long[CLASSES][];
    private final long[][] endedNs = new long[CLASSES][];
    private final int[] ended = new int[CLASSES];
    private int inFlight;

    /** A request begins. What comes back is how many are in flight with it, for {@link #ended}. */
    public synchronized int begin() {
        return ++inFlight;
    }

    /** A request is answered that began as the {@code asOne}-th in flight. */
    public synchronized void ended(int asOne, long itTookNs, long nowNs) {
        inFlight--;
        int at = classOf(asOne);
        if (tookNs[at] == null) {
            tookNs[at] = new long[KEPT];
            endedNs[at] = new long[KEPT];
        }
        int next = ended[at]++ % KEPT;
        tookNs[at][next] = itTookNs;
        endedNs[at][next] = nowNs;
    }

    /** A request ends without an answer, which says nothing of how long one takes. */
    public synchronized void gone() {
        inFlight--;
    }

    /** Requests in flight. */
    public synchronized int inFlight() {
        return inFlight;
    }

    /**
     * The median of recent requests that began at about as many in flight as one more would make; 0
     * where there is none.
     */
    public long latencyNs(long nowNs) {
        return latencyNs(inFlight() + 1, nowNs);
    }

    /** The same for a request that begins as the {@code asOne}-th in flight. */
    public synchronized long latencyNs(int asOne, long nowNs) {
        int wanted = classOf(asOne);
        for (int far = 0; far < CLASSES; far++) {
            long found = medianNs(wanted - far, nowNs);
            if (found == 0 && far > 0) {
                found = medianNs(wanted + far, nowNs);
            }
            if (found > 0) {
                return found;
            }
        }
        return 0;
    }

    private long medianNs(int at, long nowNs) {
        if (at < 0 || at >= CLASSES || tookNs[at] == null) {
            return 0;
        }
        long[] recent = new long[KEPT];
        int count = 0;
        for (int i = 0; i < Math.min(KEPT, ended[at]); i++) {
            if (nowNs - endedNs[at][i] <= RECENT_NS) {
                recent[count++] = tookNs[at][i];
            }
        }
        if (count == 0) {
            return 0;
        }
        Arrays.sort(recent, 0, count);
        return Math.max(1, recent[count / 2]);
    }

    /** Numbers up to 16 are a class each, then each doubling is. */
    private static int classOf(int asOne) {
        if (asOne <= EXACT) {
            return Math.max(1, asOne) - 1;
        }
        int doublings = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(asOne / EXACT);
        return Math.min(CLASSES - 1, EXACT + doublings);
    }
}
