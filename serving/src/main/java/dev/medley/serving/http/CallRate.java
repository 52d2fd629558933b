package dev.medley.serving.http;

import dev.medley.base.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bounds how often each caller asks: a bucket that holds the requests of a second, and fills again
 * with time. Callers that have not asked for long are forgotten.
 *
 * <p>Thread: any.
 */
final class CallRate {
    private static final int MOST_CALLERS = 10_000;
    private static final double NS_PER_S = 1e9;

    private final double perSecond;
    private final Clock clock;

    /** By name; the one that asked last is the last. */
    private final Map<String, Bucket> buckets =
            new LinkedHashMap<>(64, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
                    return size() > MOST_CALLERS;
                }
            };

    private static final class Bucket {
        private double tokens;
        private long atNs;

        Bucket(double tokens, long atNs) {
            this.tokens = tokens;
            this.atNs = atNs;
        }
    }

    /** So many requests a second; infinite for no bound. */
    CallRate(double perSecond, Clock clock) {
        this.perSecond = perSecond;
        this.clock = clock;
    }

    /** Seconds after which the caller may ask; 0 where it may now, and has. */
    synchronized double waitS(String caller) {
        if (Double.isInfinite(perSecond)) {
            return 0;
        }
        long nowNs = clock.nowNs();
        double most = Math.max(1, perSecond);
        Bucket bucket = buckets.computeIfAbsent(caller, c -> new Bucket(most, nowNs));
        double filled = bucket.tokens + (nowNs - bucket.atNs) / NS_PER_S * perSecond;
        bucket.tokens = Math.min(most, filled);
        bucket.atNs = nowNs;
        if (bucket.tokens >= 1) {
            bucket.tokens -= 1;
            return 0;
        }
        return (1 - bucket.tokens) / perSecond;
    }
}
