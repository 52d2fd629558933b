package dev.medley.serving.traffic;

import dev.medley.serving.ServingFailure;
import dev.medley.serving.ServingFailure.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Counts what comes of the requests that a plan gave to one version, window by window.
 *
 * <p>A request that takes longer than two seconds is seen as that slow while it is under way, so
 * that one which hangs is no secret until it ends. What a caller did wrong counts once for each
 * key: a broken caller, whom the hash has given to one version, is no evidence against it. The
 * first few latencies are of a version that warms up, and do not count.
 *
 * <p>Thread: any.
 */
public final class VersionCount {
    static final long LONG_NS = 2_000_000_000L;
    private static final int MOST_A_WINDOW = 4096;
    private static final int MOST_KEYS = 10_000;
    private static final int WARMING = 8;

    /** Guards all that follows. */
    private final Object lock = new Object();

    private final Set<Request> underWay = new HashSet<>();
    private final LinkedHashSet<String> failedKeys = new LinkedHashSet<>();
    private final List<Double> losses = new ArrayList<>();
    private long[] latencies = new long[16];
    private int timed;
    private int warming = WARMING;
    private long requests;
    private long errors;
    private long allRequests;
    private long allErrors;

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
                    requests++;
                    allRequests++;
                }
            }
        }

        /** It failed. */
        public void failed(Throwable thrown) {
            synchronized (lock) {
                if (!underWay.remove(this)) {
                    return;
                }
                allRequests++;
                allErrors++;
                boolean isCallers =
                        thrown instanceof ServingFailure failure
                                && failure.kind() != Kind.INTERNAL
                                && failure.kind() != Kind.UNAVAILABLE
                                && failure.kind() != Kind.LATE;
                if (!isCallers || isNew(key)) {
                    requests++;
                    errors++;
                }
            }
        }
    }

    /**
     * Whether a key has not failed lately. The one that failed first is forgotten, so that errors
     * of many keys count on for the version with most requests as for the other.
     */
    private boolean isNew(String key) {
        boolean isNew = failedKeys.add(key);
        if (failedKeys.size() > MOST_KEYS) {
            failedKeys.remove(failedKeys.iterator().next());
        }
        return isNew;
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
        if (timed < MOST_A_WINDOW) {
            if (timed == latencies.length) {
                latencies = Arrays.copyOf(latencies, 2 * timed);
            }
            latencies[timed++] = nowNs - request.beginNs;
        }
    }

    /** A caller has reported what came of an answer, as a loss. */
    public void reported(double loss) {
        synchronized (lock) {
            if (losses.size() < MOST_A_WINDOW) {
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
