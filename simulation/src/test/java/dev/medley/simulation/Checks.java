package dev.medley.simulation;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.control.watch.RunOutcome;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Checks what must hold after every event of a run: living members of a group with equal progress
 * have the same history, no state has lost or repeated a step, no group goes back behind what one
 * of its members holds, or where all are new behind the newest checkpoint, shares sum to the batch,
 * and steps are told in order.
 */
final class Checks implements RunWatcher {
    private final VirtualRun run;
    private final int batch;
    private final List<String> story = new ArrayList<>();
    private List<WorkerId> present = List.of();
    private long lastTold;
    @Nullable RunOutcome outcome;

    Checks(VirtualRun run, int batch) {
        this.run = run;
        this.batch = batch;
    }

    /** What happened, for the message of a check that fails. */
    List<String> story() {
        return story;
    }

    /** Something else that tells of the run. */
    void tell(String what) {
        story.add(what);
    }

    @Override
    public void formed(View view) {
        Group group = view.group();
        story.add(
                "formed %d of %s after %s, source %d, behind %s"
                        .formatted(
                                group.epoch(),
                                group.members().stream().map(Member::worker).toList(),
                                view.committed(),
                                view.source(),
                                view.behind()));
        long step = view.committed().step();
        List<WorkerId> members = group.members().stream().map(Member::worker).toList();
        for (WorkerId member : members) {
            Progress held = run.worker(member).progressIfAlive();
            boolean isVoid = run.faults().wasCut(member); // What it alone applied may not count.
            if (held != null && held.step() > step && !isVoid) {
                throw new AssertionError(
                        "epoch %d goes back to step %d, and %s holds %s"
                                .formatted(group.epoch(), step, member, held));
            }
        }
        boolean survives = members.stream().anyMatch(present::contains);
        if (!survives && step < run.keptStepHeard()) {
            throw new AssertionError(
                    "epoch %d goes back to step %d although step %d was kept"
                            .formatted(group.epoch(), step, run.keptStepHeard()));
        }
        int sum = view.plan().shares().stream().mapToInt(Integer::intValue).sum();
        if (sum != batch) {
            throw new AssertionError("shares of " + sum + " samples: " + view.plan());
        }
        lastTold = Math.min(lastTold, step);
        present = members;
    }

    @Override
    public void stepped(int epoch, Map<WorkerId, WorkerStep> steps) {
        long step = steps.values().iterator().next().step();
        if (step <= lastTold) {
            throw new AssertionError("step " + step + " is told after " + lastTold);
        }
        lastTold = step;
        int samples = steps.values().stream().mapToInt(WorkerStep::share).sum();
        if (samples > batch) {
            throw new AssertionError("step " + step + " has " + samples + " samples");
        }
    }

    @Override
    public void lost(WorkerId worker, Fault fault) {
        story.add("lost " + worker + ": " + fault.message());
        boolean isSilent = fault.message().contains("silent");
        if (isSilent && !run.mayBeSilent(worker)) {
            throw new AssertionError(fault.message() + " although all slept");
        }
    }

    @Override
    public void released(WorkerId worker, String why) {
        story.add("released " + worker + ": " + why);
    }

    @Override
    public void launched(int launch, LaunchCause why) {
        story.add("launched " + launch + " " + why);
    }

    @Override
    public void warned(String message) {
        story.add("warned " + message);
    }

    @Override
    public void remarked(String message) {
        story.add("remarked " + message);
    }

    @Override
    public void ended(RunOutcome end) {
        outcome = end;
    }

    /** Of states. */
    void states(Collection<VirtualWorker> workers) {
        Map<String, Long> states = new TreeMap<>();
        for (VirtualWorker worker : workers) {
            Progress progress = worker.progressIfAlive();
            if (progress == null || progress.step() < 0) {
                continue;
            }
            if (worker.state != StateHash.after(progress.step())) {
                throw new AssertionError(worker.id + " lost or repeated a step before " + progress);
            }
            if (!worker.seat.isOpen(worker.epoch)) {
                continue; // It may be about to copy.
            }
            Long other = states.putIfAbsent(worker.epoch + "/" + progress, worker.lineage);
            if (other != null && other != worker.lineage && worker.hasStepped()) {
                throw new AssertionError(
                        worker.id + " differs at " + progress + " in epoch " + worker.epoch);
            }
        }
    }
}
