package dev.medley.benchmarks.serving;

import dev.medley.base.Json;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts answers and keeps every latency, so that quantiles are exact.
 *
 * <p>Thread: its owner's.
 */
final class LoadTally {
    private static final int MOST_BODIES = 20;

    private final long fromNs;
    private final long untilNs;
    private final Map<Integer, Long> statuses = new TreeMap<>();
    private final Map<String, Long> bodies = new LinkedHashMap<>();
    private long[] latenciesNs = new long[1 << 16];
    private int count;
    private long failed;
    private long lastNs;

    /** Requests that were due from {@code fromNs} on count, to {@code untilNs}. */
    LoadTally(long fromNs, long untilNs) {
        this.fromNs = fromNs;
        this.untilNs = untilNs;
    }

    /** An answer came whole. */
    void answered(long dueNs, long nowNs, int status, String body) {
        if (dueNs < fromNs || dueNs >= untilNs) {
            return;
        }
        statuses.merge(status, 1L, Long::sum);
        if (bodies.size() < MOST_BODIES || bodies.containsKey(body)) {
            bodies.merge(body, 1L, Long::sum);
        }
        if (status != 200) {
            failed++;
            return;
        }
        if (count == latenciesNs.length) {
            latenciesNs = Arrays.copyOf(latenciesNs, 2 * count);
        }
        latenciesNs[count++] = nowNs - dueNs;
        lastNs = Math.max(lastNs, nowNs);
    }

    /** A connection broke with a request on it. */
    void broken(long dueNs) {
        if (dueNs >= fromNs && dueNs < untilNs) {
            failed++;
            statuses.merge(0, 1L, Long::sum);
        }
    }

    /** One line of JSON. */
    String line() {
        long[] sorted = Arrays.copyOf(latenciesNs, count);
        Arrays.sort(sorted);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("answered", count);
        line.put("failed", failed);
        line.put("statuses", statuses);
        line.put("per_s", count == 0 ? 0 : count / Math.max(1e-9, (lastNs - fromNs) / 1e9));
        for (double q : new double[] {0.5, 0.9, 0.99, 0.999}) {
            line.put("p" + (q * 100 + "").replaceFirst("\\.0$", "") + "_ms", quantileMs(sorted, q));
        }
        line.put("max_ms", quantileMs(sorted, 1));
        line.put("mean_ms", Arrays.stream(sorted).average().orElse(0) / 1e6);
        line.put("bodies", bodies);
        return Json.line(line);
    }

    private static double quantileMs(long[] sorted, double q) {
        if (sorted.length == 0) {
            return 0;
        }
        int rank = (int) Math.ceil(q * sorted.length) - 1;
        return sorted[Math.max(0, rank)] / 1e6;
    }
}
