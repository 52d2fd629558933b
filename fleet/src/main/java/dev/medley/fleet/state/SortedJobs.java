package dev.medley.fleet.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Holds jobs by id in arrays: few are added and removed, many looked at and replaced. */
final class SortedJobs {
    private final List<FleetJob> jobs = new ArrayList<>();
    private long[] ids = new long[16];

    /** Where one was found last: they are mostly asked for in order. */
    private int found;

    private int find(long id) {
        int next = found + 1;
        if (next >= jobs.size() || ids[next] != id) {
            next = Arrays.binarySearch(ids, 0, jobs.size(), id);
        }
        found = Math.max(0, next);
        return next;
    }

    @Nullable FleetJob get(long id) {
        int at = find(id);
        return at < 0 ? null : jobs.get(at);
    }

    /** What it was before; null where it is new. */
    @Nullable FleetJob put(FleetJob job) {
        int at = find(job.id());
        if (at >= 0) {
            return jobs.set(at, job);
        }
        int to = -at - 1;
        if (jobs.size() == ids.length) {
            ids = Arrays.copyOf(ids, 2 * ids.length);
        }
        System.arraycopy(ids, to, ids, to + 1, jobs.size() - to);
        ids[to] = job.id();
        jobs.add(to, job);
        return null;
    }

    /** What it was; null where it is not there. */
    @Nullable FleetJob remove(long id) {
        int at = find(id);
        return at < 0 ? null : removeAt(at);
    }

    private FleetJob removeAt(int at) {
        System.arraycopy(ids, at + 1, ids, at, jobs.size() - at - 1);
        return jobs.remove(at);
    }

    void removeFirst() {
        removeAt(0);
    }

    int size() {
        return jobs.size();
    }

    /** The greatest id; 0 where there is none. */
    long lastId() {
        return jobs.isEmpty() ? 0 : ids[jobs.size() - 1];
    }

    /** By id, as they are now and will be. */
    List<FleetJob> asList() {
        return Collections.unmodifiableList(jobs);
    }

    /** By id, as they are now. */
    List<FleetJob> copy() {
        return new ArrayList<>(jobs);
    }
}
