package dev.medley.control.watch;

import dev.medley.base.WorkerId;
import dev.medley.net.control.WorkerStep;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Merges the members' reports of each step, and gives the steps out in order. A step is complete
 * when all members of its group have reported it. Members of a lost group may report its last steps
 * after the next group has formed: such a step is given out when a later one is complete, with what
 * is known by then.
 */
public final class StepMerger {
    private record Group(int epoch, Set<WorkerId> members) {}

    private record Pending(Group group, Map<WorkerId, WorkerStep> reports) {
        boolean isComplete() {
            return reports.keySet().containsAll(group.members());
        }
    }

    /** Where steps go that are complete. */
    @FunctionalInterface
    public interface Sink {
        /** A step that was applied, with what each member of its group saw. */
        void stepped(int epoch, Map<WorkerId, WorkerStep> steps);
    }

    /** So far may a member be ahead of the others in what it tells, which is kept until then. */
    static final long MOST_AHEAD = 20_000;

    private final Sink sink;
    private final TreeMap<Integer, Group> groups = new TreeMap<>();
    private final TreeMap<Long, Pending> pending = new TreeMap<>();
    private long committedStep;
    private long lastStep;

    /** Hands each step to {@code sink} once all members have told of it. */
    public StepMerger(Sink sink) {
        this.sink = sink;
    }

    /** A new group begins after {@code committed}: what older groups did beyond it is void. */
    public void formed(int newEpoch, Set<WorkerId> newMembers, long committed) {
        groups.put(newEpoch, new Group(newEpoch, newMembers));
        pending.tailMap(committed, false).clear();
        committedStep = committed;
        lastStep = Math.min(lastStep, committed);
    }

    /** Members of that group; 0 of one that was never formed. */
    int groupSize(int epoch) {
        Group group = groups.get(epoch);
        return group == null ? 0 : group.members().size();
    }

    /** Whether the worker is, or was, in that group. */
    boolean isMember(int epoch, WorkerId worker) {
        Group group = groups.get(epoch);
        return group != null && group.members().contains(worker);
    }

    /** Whether the worker is, or was, in any group. */
    boolean wasMember(WorkerId worker) {
        return groups.values().stream().anyMatch(group -> group.members().contains(worker));
    }

    /** The last step that somebody can mean by now. */
    long horizon() {
        return Math.max(lastStep, committedStep) + MOST_AHEAD;
    }

    /** Takes in what a worker tells of steps of a group; of an unknown group, nothing. */
    public void add(int epoch, WorkerId worker, List<WorkerStep> steps) {
        Group group = groups.get(epoch);
        if (group == null) {
            return;
        }
        boolean isOld = epoch != groups.lastKey();
        for (WorkerStep step : steps) {
            boolean isVoid = isOld && step.step() > committedStep;
            if (step.step() > lastStep && !isVoid) {
                pending.computeIfAbsent(step.step(), s -> new Pending(group, new TreeMap<>()))
                        .reports()
                        .put(worker, step);
            }
        }
        long complete = 0;
        for (Map.Entry<Long, Pending> entry : pending.entrySet()) {
            complete = entry.getValue().isComplete() ? entry.getKey() : complete;
        }
        flush(complete);
    }

    /** Gives out all steps up to this one, also those that not everybody spoke of. */
    public void flush(long upToStep) {
        while (!pending.isEmpty() && pending.firstKey() <= upToStep) {
            Map.Entry<Long, Pending> entry = pending.pollFirstEntry();
            lastStep = entry.getKey();
            sink.stepped(entry.getValue().group().epoch(), entry.getValue().reports());
        }
    }

    /** The last step that was given out. */
    public long lastStep() {
        return lastStep;
    }
}
