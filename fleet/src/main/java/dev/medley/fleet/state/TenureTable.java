package dev.medley.fleet.state;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds who held which machine when, the last ones, and which kinds of jobs machines served in that
 * time.
 */
final class TenureTable {
    private static final int ENDED = 20_000;

    private final JobTable jobs;
    private final Deque<Tenure> ended = new ArrayDeque<>();
    private final Map<String, Tenure> open = new HashMap<>();

    /** By kind and machine, how many of the tenures above. */
    private final Map<String, Map<String, Integer>> served = new HashMap<>();

    TenureTable(JobTable jobs) {
        this.jobs = jobs;
    }

    void put(Tenure tenure) {
        boolean isOpen = tenure.toEpochS() == null;
        Tenure before = isOpen ? open.put(tenure.machine(), tenure) : open.remove(tenure.machine());
        count(tenure, 1);
        if (before != null) {
            count(before, -1);
        }
        if (!isOpen) {
            ended.addLast(tenure);
            if (ended.size() > ENDED) {
                count(ended.removeFirst(), -1);
            }
        }
    }

    private void count(Tenure tenure, int more) {
        FleetJob job = jobs.get(tenure.job());
        if (job == null) {
            return;
        }
        Map<String, Integer> counts =
                served.computeIfAbsent(job.request().kind(), kind -> new HashMap<>());
        int now = counts.getOrDefault(tenure.machine(), 0) + more;
        if (now > 0) {
            counts.put(tenure.machine(), now);
        } else {
            counts.remove(tenure.machine());
        }
    }

    /** Kinds of jobs are others than they were when their tenures were counted. */
    void countAgain() {
        served.clear();
        ended.forEach(tenure -> count(tenure, 1));
        open.values().forEach(tenure -> count(tenure, 1));
    }

    /** Whether a machine served a job of a kind, as far back as tenures are kept. */
    boolean hasServed(String kind, String machine) {
        return served.getOrDefault(kind, Map.of()).containsKey(machine);
    }

    /** Who holds a machine now; null if nobody. */
    @Nullable Tenure of(String machine) {
        return open.get(machine);
    }

    /** Those that ended at a moment or later, the oldest end first, then those that did not. */
    List<Tenure> since(double sinceS) {
        List<Tenure> found = new ArrayList<>();
        for (Tenure tenure : ended) {
            Double toS = tenure.toEpochS();
            if (toS != null && toS >= sinceS) {
                found.add(tenure);
            }
        }
        found.addAll(new TreeMap<>(open).values());
        return found;
    }
}
