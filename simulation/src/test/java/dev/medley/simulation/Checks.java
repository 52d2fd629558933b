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
 * hold equal states, no state has lost or repeated a step, no group goes back behind what a member
 * or a checkpoint holds, and of every step that counts the samples are told exactly once.
 */
final class Checks implements RunWatcher {
    private final VirtualRun run;
    private final int batch;
    private final Map<Long, Integer> toldSamples = new TreeMap<>();
    private final List<String> story = new ArrayList<>();
    private List<WorkerId> present = List.of();
    private long committedStep;
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

    /** The steps of which members told, by the samples of each. */
    Map<Long, Integer> toldSamples() {
        return toldSamples;
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
        if (step < committedStep && hasSurvivor(group)) {
            throw new AssertionError(
                    "epoch %d goes back to step %d from %d although a member survived"
                            .formatted(group.epoch(), step, committedStep));
        }
        if (step < run.keptStepHeard()) {
            throw new AssertionError(
                    "epoch %d goes back to step %d although step %d was kept"
                            .formatted(group.epoch(), step, run.keptStepHeard()));
        }
        int sum = view.plan().shares().stream().mapToInt(Integer::intValue).sum();
        if (sum != batch) {
            throw new AssertionError("shares of " + sum + " samples: " + view.plan());
        }
        committedStep = step;
        lastTold = Math.min(lastTold, step);
        present = group.members().stream().map(Member::worker).toList();
    }

    /** Whoever sat out holds no state that counts. */
    private boolean hasSurvivor(Group group) {
        return group.members().stream()
                .map(Member::worker)
                .filter(present::contains)
                .anyMatch(id -> run.worker(id).seat.progress().step() >= committedStep);
    }

    @Override
    public void stepped(int epoch, Map<WorkerId, WorkerStep> steps) {
        long step = steps.values().iterator().next().step();
        if (step <= lastTold) {
            throw new AssertionError("step " + step + " is told after " + lastTold);
        }
        lastTold = step;
        toldSamples.put(step, steps.values().stream().mapToInt(WorkerStep::share).sum());
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
            Long other = states.putIfAbsent(worker.epoch + "/" + progress, worker.state);
            if (other != null && other != worker.state) {
                throw new AssertionError(
                        worker.id + " differs at " + progress + " in epoch " + worker.epoch);
            }
        }
    }
}
