package dev.medley.control.coordinator;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.control.watch.RunOutcome;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.membership.Membership;
import dev.medley.net.membership.Membership.Action;
import dev.medley.net.membership.View;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Does what {@link Membership} decides: has groups sealed, paused, planned and formed, and workers
 * released, started anew or replaced. Owned by {@link Chair}.
 */
final class GroupActions {
    private final CoordinatorState state;
    private Action.@Nullable TellForm held; // A group whose members are told of it later.
    private long heldUntilNs;

    GroupActions(CoordinatorState state) {
        this.state = state;
    }

    /** Does all that was decided, and all that follows from it. */
    void act() {
        for (List<Action> actions = state.membership.takeActions();
                !actions.isEmpty();
                actions = state.membership.takeActions()) {
            actions.forEach(this::act);
        }
        boolean isStopped = state.membership.phase() == Membership.Phase.STOPPED;
        if (state.interruption.isWished() && isStopped) {
            if (!state.interruption.isSaving()) {
                endWithoutCheckpoint(); // Who is still loading holds nothing.
            } else if (state.roster.isEmpty()) {
                state.verdict.end(RunOutcome.Kind.INTERRUPTED, "interrupted");
            }
        }
    }

    private void act(Action action) {
        if (action instanceof Action.TellSeal seal) {
            held = null; // Its members are asked for the next one.
            state.roster.send(seal.to(), new Message.Seal(seal.epoch(), seal.why()));
        } else if (action instanceof Action.TellPause pause) {
            state.roster.send(
                    pause.to(), new Message.Pause(pause.epoch(), pause.kind(), pause.why()));
        } else if (action instanceof Action.TellForm form) {
            formSoon(form);
        } else if (action instanceof Action.Released out) {
            release(out);
        } else if (action instanceof Action.Anew anew) {
            leaves(anew.worker());
            state.crew.anew(anew.worker(), anew.why(), state.time.awakeNs());
        } else if (action instanceof Action.Lost lost) {
            leaves(lost.worker());
            state.crew.lost(lost.worker(), lost.fault(), state.time.awakeNs());
        } else if (action instanceof Action.Stopped stopped) {
            state.verdict.stopped(stopped.committed().step());
            state.lastCheckpoint.stopped(stopped);
            state.interruption.saving(state.time.awakeNs());
        }
    }

    private void leaves(WorkerId worker) {
        state.plans.leaves(worker);
        state.firstGroup.lost(worker);
    }

    private void release(Action.Released out) {
        state.released.add(out.worker());
        leaves(out.worker());
        state.watcher.released(out.worker(), out.why());
        state.roster.send(List.of(out.worker()), new Message.Close(out.saveFirst(), out.why()));
        Integer launch = state.roster.launch(out.worker());
        if (launch != null && state.starts.isLoading(launch)) {
            state.machines.kill(launch); // It holds nothing, and may load for long before it hears.
        }
    }

    /** Groups that take no step follow each other slowly: what ends them has to be found out. */
    private void formSoon(Action.TellForm form) {
        state.verdict.formed();
        long step = form.committed().step();
        int fruitless = state.viewMaker.fruitlessGroups(step);
        if (fruitless > ViewMaker.MOST_FRUITLESS_GROUPS) {
            state.verdict.fail(
                    FailureKind.BUG,
                    "%d groups in a row ended without a step after step %d; the last fault: %s"
                            .formatted(fruitless, step, state.crew.lastFault()));
            return;
        }
        held = form;
        heldUntilNs = state.time.awakeNs() + ViewMaker.pauseNs(fruitless);
        formWhatIsHeld();
    }

    /** When a group that waits is formed, in ns from now; forever if none waits. */
    long waitNs(long nowNs) {
        return held == null ? Long.MAX_VALUE : heldUntilNs - nowNs;
    }

    /** Forms the group that waits, if it is time. */
    void formWhatIsHeld() {
        Action.TellForm form = held;
        if (form != null && state.time.awakeNs() >= heldUntilNs) {
            held = null;
            form(form);
        }
    }

    private void form(Action.TellForm form) {
        String inVain = state.viewMaker.inVain();
        if (inVain != null) {
            state.watcher.warned(inVain);
        }
        state.machines.formed();
        state.firstGroup.formed();
        View view;
        try {
            List<Group.Cut> cuts = state.partition.relayed(form.group().members());
            view = state.viewMaker.view(state.clusterView.placed(form, cuts));
        } catch (RuntimeException e) {
            state.verdict.unplanned(form.group(), e);
            return;
        }
        List<WorkerId> members = form.group().members().stream().map(Member::worker).toList();
        state.merger.formed(form.group().epoch(), Set.copyOf(members), form.committed().step());
        state.watcher.formed(view);
        state.roster.send(members, new Message.Form(view));
    }

    /** The user wants the end: at once, the second time. */
    void interrupt() {
        if (state.interruption.isWished()) {
            state.lastCheckpoint.giveUp();
            state.verdict.end(RunOutcome.Kind.INTERRUPTED, "stopped at once: interrupted twice");
            return;
        }
        state.interruption.wish();
        state.membership.stop("the user asked for the end");
        boolean isStopped = state.membership.phase() == Membership.Phase.STOPPED;
        if (isStopped && state.membership.members().isEmpty()) {
            endWithoutCheckpoint();
        }
    }

    /** Nobody holds what a checkpoint could be made of. */
    private void endWithoutCheckpoint() {
        boolean hasSteps = state.merger.lastStep() > 0;
        String when = hasSteps ? "with no worker left" : "before the first step";
        state.verdict.end(RunOutcome.Kind.INTERRUPTED, "interrupted " + when);
    }
}
