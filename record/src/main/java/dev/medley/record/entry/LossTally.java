package dev.medley.record.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts what lost workers cost: a loss is over with the first step of the next group. All that are
 * lost until then count together. Guarded by the recorder's lock.
 */
final class LossTally {
    /** Older ones are dropped: a machine of a day's price may leave every hour. */
    private static final int MOST = 1000;

    private final List<WorkerLoss> losses;
    private final long repeatedUpTo;
    private Set<Integer> members = Set.of();
    private int epoch = -1;
    private boolean isOpen;
    private int lostInEpoch = -1;
    private @Nullable StepRecord last;

    /** Nothing was lost yet. */
    LossTally() {
        this(List.of(), 0);
    }

    private LossTally(List<WorkerLoss> losses, long repeatedUpTo) {
        this.losses = new ArrayList<>(losses);
        this.repeatedUpTo = repeatedUpTo;
        this.isOpen = !losses.isEmpty() && losses.get(losses.size() - 1).stoodNs() == null;
    }

    /** After these, of which the last may be open; steps up to that one are taken again for it. */
    static LossTally after(List<WorkerLoss> losses, long repeatedUpTo) {
        return new LossTally(losses, repeatedUpTo);
    }

    /** Another process goes on: the time between the two is no cost of a worker. */
    static LossTally resumed(List<WorkerLoss> losses) {
        LossTally tally = new LossTally(losses, 0);
        tally.isOpen = false;
        return tally;
    }

    List<WorkerLoss> losses() {
        return List.copyOf(losses);
    }

    void formed(PlanRecord plan) {
        members = Set.copyOf(plan.workers());
        epoch = plan.groupEpoch();
    }

    /** Nobody waits for one that is not a member. */
    void lost(int worker, long step, long wallMillis) {
        if (isOpen) {
            losses.set(losses.size() - 1, newest().and(worker));
        } else if (members.contains(worker)) {
            if (losses.size() == MOST) {
                losses.remove(0);
            }
            losses.add(new WorkerLoss(List.of(worker), step, wallMillis, null, 0, 0));
            isOpen = true;
            lostInEpoch = epoch;
        }
    }

    void step(StepRecord step) {
        if (isOpen && step.groupEpoch() > lostInEpoch) {
            close(step, last);
        }
        if (!losses.isEmpty() && step.step() <= repeatedUpTo) {
            losses.set(losses.size() - 1, newest().repeating(step.stepNs()));
        }
        last = step;
    }

    private void close(StepRecord next, @Nullable StepRecord before) {
        WorkerLoss loss = newest();
        long foundMillis = loss.wallMillis();
        long endMillis = before == null ? foundMillis : Math.min(before.wallMillis(), foundMillis);
        long betweenNs = TimeUnit.MILLISECONDS.toNanos(next.wallMillis() - endMillis);
        long allNs = Math.max(0, betweenNs - next.stepNs());
        long underWayNs = TimeUnit.MILLISECONDS.toNanos(foundMillis - endMillis);
        long againNs = before == null ? 0 : Math.min(underWayNs, before.stepNs());
        long step = before == null ? Math.max(loss.step(), repeatedUpTo) : before.step();
        losses.set(losses.size() - 1, loss.over(step, allNs, Math.min(againNs, allNs)));
        isOpen = false;
    }

    private WorkerLoss newest() {
        return losses.get(losses.size() - 1);
    }
}
