package dev.medley.control.coordinator;

import dev.medley.base.WorkerId;
import dev.medley.control.event.Effects;
import dev.medley.control.event.EventTime;
import dev.medley.control.failure.Interruption;
import dev.medley.control.failure.LastCheckpoint;
import dev.medley.control.failure.NewestCheckpoint;
import dev.medley.control.failure.Partition;
import dev.medley.control.failure.Verdict;
import dev.medley.control.launcher.Launching;
import dev.medley.control.launcher.Launching.OnAgents;
import dev.medley.control.watch.MessageCheck;
import dev.medley.control.watch.Roster;
import dev.medley.control.watch.RunWatcher;
import dev.medley.control.watch.StepMerger;
import dev.medley.net.control.Message;
import dev.medley.net.membership.Membership;
import dev.medley.plan.source.PlanSource;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a coordinator knows of its run. Each part is the only one that changes its own state;
 * all of them send what they want done to {@link #effects}. Owned by {@link Chair}.
 */
final class CoordinatorState {
    final CoordinatorOptions options;
    final PlanSource plans;
    final Effects effects = new Effects();
    final EventTime time = new EventTime();
    final RunWatcher watcher = effects.told(RunWatcher.class);
    final Roster roster = new Roster(effects);
    final Interruption interruption = new Interruption();
    final NewestCheckpoint newestCheckpoint = new NewestCheckpoint();
    final Set<WorkerId> released = new HashSet<>();
    final Machines machines;
    final Starts starts;
    final FirstGroup firstGroup;
    final ViewMaker viewMaker;
    final ClusterView clusterView;
    final StepMerger merger;
    final MessageCheck claims;
    final Membership membership;
    final Partition partition;
    final Verdict verdict;
    final LastCheckpoint lastCheckpoint;
    final Crew crew;

    /**
     * Of a run that has not begun.
     *
     * @param steps where steps go that all members have told of
     */
    CoordinatorState(
            CoordinatorOptions options,
            Launching launching,
            PlanSource plans,
            StepMerger.Sink steps) {
        this.options = options;
        this.plans = plans;
        long peerTimeoutNs = options.cluster().peerTimeoutNs();
        Agents agents =
                launching instanceof OnAgents offered ? new Agents(offered.terms(), effects) : null;
        this.machines = new Machines(agents, options, watcher, effects, time);
        this.starts = new Starts(options, machines, time);
        this.firstGroup = new FirstGroup(options);
        this.viewMaker = new ViewMaker(plans);
        this.clusterView = new ClusterView(plans, machines, roster, watcher);
        this.merger = new StepMerger(steps);
        this.claims = new MessageCheck(merger);
        this.membership =
                new Membership(options.cluster().workers(), peerTimeoutNs, plans::groupSize);
        this.partition = new Partition(membership, roster, watcher, peerTimeoutNs);
        this.verdict = new Verdict(merger, watcher);
        this.lastCheckpoint = new LastCheckpoint(membership, roster, verdict, time);
        this.crew =
                new Crew(
                        new Crew.Run(
                                options.cluster().restarts(),
                                machines,
                                starts,
                                roster,
                                membership,
                                plans,
                                watcher,
                                interruption,
                                verdict));
    }

    /** A worker with the machine that it runs on, where machines joined. */
    String named(WorkerId worker) {
        Integer launch = roster.launch(worker);
        return launch == null ? worker.toString() : named(launch);
    }

    /** The same of a worker that may not have come yet. */
    String named(int launch) {
        WorkerId worker = new WorkerId(launch);
        Message.@Nullable Offer offer = machines.offer(launch);
        return offer == null ? worker.toString() : "%s on %s".formatted(worker, offer.name());
    }

    /** A worker has gone in good order: somebody may wait for what it was told to keep. */
    void parted(WorkerId worker) {
        membership.parted(worker, newestCheckpoint.step(), new WorkerId(starts.newest()));
    }
}
