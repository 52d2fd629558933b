package dev.medley.serving.traffic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts what comes of the requests that a plan gave to one version, window by window.
 *
 * <p>A request that takes longer than two seconds is seen as that slow while it is under way, so
 * that one which hangs is no secret until it ends. What one key weighs is bounded ({@link
 * KeyWeights}). The first few latencies are of a version that warms up, and do not count.
 *
 * <p>Thread: any.
 */
public final class VersionCount {
    static final long LONG_NS = 2_000_000_000L;
    private static final int MOST_A_WINDOW = 4096;
    private static final int WARMING = 8;

    /** Guards all that follows. */
    private final Object lock = new Object();

    private final Set<Request> underWay = new HashSet<>();
    private final KeyWeights weights;
    private final List<Double> losses = new ArrayList<>();
    private long[] latencies = new long[16];
    private int timed;
    private int warming = WARMING;
    private long requests;
    private long errors;
    private long allRequests;
    private long allErrors;

    /** Before the first request. */
    VersionCount(KeyWeights weights) {
        this.weights = weights;
    }

    /** A request under way. */
    public final class Request {
        private final String key;
        private final long beginNs;
        private boolean isTimed;

        private Request(String key, long beginNs) {
            this.key = key;
            this.beginNs = beginNs;
        }

        /** It was answered. */
        public void answered(long nowNs) {
            synchronized (lock) {
                if (underWay.remove(this)) {
                    time(this, nowNs);
                    requests += weights.succeeded(key) ? 1 : 0;
                    allRequests++;
                }
            }
        }

        /** It failed. */
        public void failed() {
            synchronized (lock) {
                if (!underWay.remove(this)) {
                    return;
                }
                allRequests++;
                allErrors++;
                if (weights.failed(key)) {
                    requests++;
                    errors++;
                }
            }
        }
    }

    /** A request that its key has given to this version. */
    public Request begin(String key, long nowNs) {
        Request request = new Request(key, nowNs);
        synchronized (lock) {
            underWay.add(request);
        }
        return request;
    }

    private void time(Request request, long nowNs) {
        if (request.isTimed) {
            return;
        }
        request.isTimed = true;
        if (warming > 0) {
            warming--;
            return;
        }
        if (timed < MOST_A_WINDOW && weights.timed(request.key)) {
            if (timed == latencies.length) {
                latencies = Arrays.copyOf(latencies, 2 * timed);
            }
            latencies[timed++] = nowNs - request.beginNs;
        }
    }

    /** A caller has reported what came of an answer to a key, as a loss. */
    public void reported(@Nullable String key, double loss) {
        synchronized (lock) {
            if (losses.size() < MOST_A_WINDOW && (key == null || weights.reported(key))) {
                losses.add(loss);
            }
        }
    }

    /** What was seen since the last time. */
    public VersionWindow take(long nowNs) {
        synchronized (lock) {
            for (Request request : underWay) {
                if (nowNs - request.beginNs >= LONG_NS) {
                    time(request, nowNs);
                }
            }
            VersionWindow window =
                    new VersionWindow(
                            requests,
                            errors,
                            Arrays.copyOf(latencies, timed),
                            losses.stream().mapToDouble(Double::doubleValue).toArray());
            requests = 0;
            errors = 0;
            timed = 0;
            losses.clear();
            weights.tick();
            return window;
        }
    }

    /** Requests that have ended. */
    public long requests() {
        synchronized (lock) {
            return allRequests;
        }
    }

    /** Those that failed, whoever did something wrong. */
    public long errors() {
        synchronized (lock) {
            return allErrors;
        }
    }
}
