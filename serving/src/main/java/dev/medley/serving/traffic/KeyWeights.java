package dev.medley.serving.traffic;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Bounds what one key weighs in the evidence of a trial, since the hash gives all its requests to
 * one version: a caller with much traffic that fails, is slow or is dissatisfied on its own account
 * is no evidence against that version. The bounds are the same for both versions, so that keys of
 * equal versions stay exchangeable. A request without a key is a key by itself.
 *
 * <p>A failure counts once for each key, and so do {@value #MOST_SUCCESSES} successes. Latencies
 * count {@value #MOST_LATENCIES} times, in windows some way apart, and an outcome once. With many
 * keys these two may be more: half the root of what counts of the smaller version, which moves its
 * mean by half a standard error at most.
 *
 * <p>Thread: any.
 */
final class KeyWeights {
    static final int MOST_SUCCESSES = 16;
    static final int MOST_LATENCIES = 3;
    private static final int MOST_KEYS = 20_000;
    private static final int LEAST_GAP = 4;
    private static final int GAPS = 32;

    private final double leastShare;
    private long latencies;
    private long outcomes;
    private long ticks;

    /** The one that asked longest ago is forgotten; one with much traffic never is. */
    private final Map<String, Seen> keys =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
                    return size() > MOST_KEYS;
                }
            };

    /** What counted of a key. */
    private static final class Seen {
        private int failures;
        private int successes;
        private int latencies;
        private int outcomes;
        private long nextTick;
    }

    /** Of versions, the smallest of which has that share. */
    KeyWeights(double leastShare) {
        this.leastShare = leastShare;
    }

    private Seen seen(String key) {
        return keys.computeIfAbsent(key, any -> new Seen());
    }

    /** Whether one more failure of a key counts. */
    synchronized boolean failed(String key) {
        return seen(key).failures++ == 0;
    }

    /** Whether one more success of a key counts. */
    synchronized boolean succeeded(String key) {
        Seen seen = seen(key);
        seen.successes = Math.min(seen.successes + 1, MOST_SUCCESSES + 1);
        return seen.successes <= MOST_SUCCESSES;
    }

    /** Whether one more latency of a key counts. */
    synchronized boolean timed(String key) {
        Seen seen = seen(key);
        if (ticks < seen.nextTick || seen.latencies >= Math.max(MOST_LATENCIES, root(latencies))) {
            return false;
        }
        seen.latencies++;
        seen.nextTick = ticks + LEAST_GAP + Math.floorMod(31L * key.hashCode() + ticks, GAPS);
        latencies++;
        return true;
    }

    /** Whether one more outcome of a key counts. */
    synchronized boolean reported(String key) {
        Seen seen = seen(key);
        if (seen.outcomes >= Math.max(1, root(outcomes))) {
            return false;
        }
        seen.outcomes++;
        outcomes++;
        return true;
    }

    private double root(long counted) {
        return Math.sqrt(leastShare * counted) / 2;
    }

    /** A window of one of the versions has ended. */
    synchronized void tick() {
        ticks++;
    }
}
