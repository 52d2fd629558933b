package dev.medley.fleet.state;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds a fleet's jobs, those of which something may still have to be done apart, so that no
 * decision looks through all that ever were.
 */
final class JobTable {
    private static final int DONE = 10_000;

    private final SortedJobs live = new SortedJobs();
    private final TreeMap<Long, FleetJob> over = new TreeMap<>();
    private final SortedJobs done = new SortedJobs();
    private final Map<String, FleetJob> knownByKind = new HashMap<>();
    private long doneChanges;

    /** Takes a job as it is now; what it was before, null where it is new. */
    @Nullable FleetJob put(FleetJob job) {
        FleetJob before;
        if (job.isLive()) {
            before = live.put(job);
            before = before == null ? over.remove(job.id()) : before;
        } else {
            before = over.put(job.id(), job);
            before = before == null ? live.remove(job.id()) : before;
        }
        if (isDone(job) || before != null && isDone(before)) {
            done(job);
        }
        if (job.isKnown()) {
            FleetJob newest = knownByKind.get(job.request().kind());
            if (newest == null || newest.id() <= job.id()) {
                knownByKind.put(job.request().kind(), job);
            }
        }
        return before;
    }

    private void done(FleetJob job) {
        if (isDone(job)) {
            done.put(job);
            if (done.size() > DONE) {
                done.removeFirst();
            }
        } else {
            done.remove(job.id());
        }
        doneChanges++;
    }

    private static boolean isDone(FleetJob job) {
        return job.phase() == JobPhase.DONE && job.measure().total() > 0;
    }

    /** All of them, by id. */
    List<FleetJob> all() {
        TreeMap<Long, FleetJob> all = new TreeMap<>(over);
        live.asList().forEach(job -> all.put(job.id(), job));
        return List.copyOf(all.values());
    }

    /** Those of which something may still have to be done, by id, as they are now. */
    List<FleetJob> live() {
        return live.copy();
    }

    /** The last ones that are done and told their size, by id. */
    List<FleetJob> done() {
        return done.asList();
    }

    /** How often those that are done changed. */
    long doneChanges() {
        return doneChanges;
    }

    @Nullable FleetJob newestKnown(String kind) {
        return knownByKind.get(kind);
    }

    @Nullable FleetJob get(long id) {
        FleetJob job = live.get(id);
        return job == null ? over.get(id) : job;
    }

    /** An id that no job had. */
    long nextId() {
        long last = live.lastId();
        return 1 + (over.isEmpty() ? last : Math.max(last, over.lastKey()));
    }
}
