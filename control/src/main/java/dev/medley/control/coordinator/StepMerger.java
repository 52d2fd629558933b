package dev.medley.control.coordinator;

import dev.medley.base.WorkerId;
import dev.medley.net.control.WorkerStep;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Puts what the members of a group say of a step together; a step is complete when all have spoken
 * of it.
 */
final class StepMerger {
    private final RunWatcher watcher;
    private final TreeMap<Long, Map<WorkerId, WorkerStep>> pending = new TreeMap<>();
    private Set<WorkerId> members = Set.of();
    private int epoch;
    private long lastStep;

    StepMerger(RunWatcher watcher) {
        this.watcher = watcher;
    }

    /** A new group: what is left of the old one is as complete as it can be. */
    void formed(int newEpoch, Set<WorkerId> newMembers, long committedStep) {
        flush(committedStep);
        pending.clear();
        epoch = newEpoch;
        members = newMembers;
        lastStep = committedStep;
    }

    void add(int ofEpoch, WorkerId worker, List<WorkerStep> steps) {
        if (ofEpoch != epoch) {
            return;
        }
        for (WorkerStep step : steps) {
            if (step.step() > lastStep) {
                pending.computeIfAbsent(step.step(), s -> new TreeMap<>()).put(worker, step);
            }
        }
        while (!pending.isEmpty()
                && pending.firstEntry().getValue().keySet().containsAll(members)) {
            emit(pending.pollFirstEntry());
        }
    }

    /** Gives out all steps up to the committed one, also those that not everybody spoke of. */
    void flush(long committedStep) {
        while (!pending.isEmpty() && pending.firstKey() <= committedStep) {
            emit(pending.pollFirstEntry());
        }
    }

    long lastStep() {
        return lastStep;
    }

    private void emit(Map.Entry<Long, Map<WorkerId, WorkerStep>> entry) {
        lastStep = entry.getKey();
        watcher.stepped(epoch, entry.getValue());
    }
}
