package dev.medley.serving.route;

import dev.medley.serving.load.LoadReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps answers to probes until they are too old, used too often, or crowded out: one of each
 * server, and no more than there is room for. Where there is no room for all servers a request
 * removes one, the oldest and the worst in turn, so that the pool does not fill with those that
 * nobody wants.
 *
 * <p>Thread: its owner's.
 */
final class ProbePool {
    private static final int REMEMBERED = 128;

    private final RouterSettings settings;
    private final Map<String, Kept> kept = new LinkedHashMap<>();

    /** Requests in flight of the last probes, also those that are gone. */
    private final int[] inFlight = new int[REMEMBERED];

    private int seen;
    private boolean isOldestNext = true;

    /** An answer. */
    static final class Kept {
        private final String name;
        private final LoadReport report;
        private final int ownInFlight;
        private final long atNs;
        private int uses;

        private Kept(String name, LoadReport report, int ownInFlight, long atNs) {
            this.name = name;
            this.report = report;
            this.ownInFlight = ownInFlight;
            this.atNs = atNs;
        }

        String name() {
            return name;
        }

        /**
         * The server's load by now: since it answered, the router has sent some requests more to it
         * and seen others answered.
         *
         * @param own requests that the router has in flight there
         * @param model of the request; null where it is not known
         */
        ReplicaLoad now(int own, @Nullable String model) {
            LoadReport.ModelLoad of = model == null ? null : report.models().get(model);
            long latencyUs =
                    of == null || of.latency_us() == 0 ? report.latency_us() : of.latency_us();
            int now = Math.max(own, report.in_flight() + own - ownInFlight);
            return new ReplicaLoad(name, now, latencyUs * 1000);
        }
    }

    ProbePool(RouterSettings settings) {
        this.settings = settings;
    }

    /** Keeps an answer, in place of an older one of that server. */
    void add(String name, LoadReport report, int ownInFlight, long nowNs) {
        kept.remove(name);
        kept.put(name, new Kept(name, report, ownInFlight, nowNs));
        if (kept.size() > settings.poolSize()) {
            removeOldest();
        }
        inFlight[seen++ % REMEMBERED] = report.in_flight();
    }

    /** Those that are not too old; the oldest first. */
    List<Kept> fresh(long nowNs) {
        kept.values().removeIf(each -> nowNs - each.atNs > settings.probeAgeNs());
        return new ArrayList<>(kept.values());
    }

    /** One was used to choose its server, one of {@code servers}. */
    void used(String name, int servers) {
        Kept it = kept.get(name);
        if (it != null && ++it.uses >= settings.uses(servers)) {
            kept.remove(name);
        }
        if (servers > settings.poolSize() && kept.size() > 1) {
            if (isOldestNext) {
                removeOldest();
            } else {
                removeWorst();
            }
            isOldestNext = !isOldestNext;
        }
    }

    /** A server that is gone, or answers no more. */
    void remove(String name) {
        kept.remove(name);
    }

    /** Requests in flight above which a server is hot. */
    double hotAbove() {
        int count = Math.min(seen, REMEMBERED);
        if (count == 0) {
            return Double.POSITIVE_INFINITY;
        }
        int[] sorted = Arrays.copyOf(inFlight, count);
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(settings.hotQuantile() * count) - 1;
        return sorted[Math.max(0, rank)];
    }

    int size() {
        return kept.size();
    }

    private void removeOldest() {
        kept.remove(kept.keySet().iterator().next());
    }

    /** The hot one with the most in flight, or the slowest where all are cold. */
    private void removeWorst() {
        double hotAbove = hotAbove();
        Kept worst = null;
        for (Kept each : kept.values()) {
            if (worst == null || isWorse(each.report, worst.report, hotAbove)) {
                worst = each;
            }
        }
        if (worst != null) {
            kept.remove(worst.name);
        }
    }

    private static boolean isWorse(LoadReport one, LoadReport other, double hotAbove) {
        boolean isHot = one.in_flight() > hotAbove;
        boolean isOtherHot = other.in_flight() > hotAbove;
        if (isHot != isOtherHot) {
            return isHot;
        }
        return isHot ? one.in_flight() > other.in_flight() : one.latency_us() > other.latency_us();
    }
}
