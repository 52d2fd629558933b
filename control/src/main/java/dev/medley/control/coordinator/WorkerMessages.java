package dev.medley.control.coordinator;

import static dev.medley.net.control.ProtocolException.check;

import dev.medley.base.Json;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.control.event.CallerId;
import dev.medley.control.watch.MessageCheck;
import dev.medley.control.watch.ResizeWords;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.control.WorkerStep;
import dev.medley.plan.policy.MachineKind;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.profile.cluster.LinkReport;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes what workers say: who comes, what it took them, and what follows for the group and its
 * plan. Owned by {@link Chair}.
 */
final class WorkerMessages {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerMessages.class);

    private final CoordinatorState state;
    private final Admission admission;

    WorkerMessages(CoordinatorState state, Admission admission) {
        this.state = state;
        this.admission = admission;
    }

    /** A caller says that it is a worker. */
    void greet(CallerId from, Message.Hello hello) {
        check(state.roster.worker(from) == null && !state.machines.know(from), "a second greeting");
        check(state.starts.isAwaited(hello.launch()), "nobody waits for worker %d", hello.launch());
        String why = admission.refusal(hello);
        if (why != null) {
            state.effects.send(from, new Message.Close(false, why));
            refused(why);
            return;
        }
        state.starts.greeted(hello.launch());
        WorkerId worker = new WorkerId(hello.launch());
        state.membership.joined(worker, state.time.awakeNs());
        state.roster.joined(worker, from, hello.launch());
        state.watcher.joined(worker, hello.launch(), state.machines.offer(hello.launch()));
        MachineKind machine = state.clusterView.machineOfLaunch(hello.launch());
        state.crew.came(hello.launch(), machine.type());
        TrialScope trial = state.plans.comes(worker, machine);
        state.effects.send(from, admission.welcome(worker, trial));
    }

    /** A machine may be built anew while a run goes on: that is not the end of the others. */
    private void refused(String why) {
        if (state.membership.members().isEmpty()) {
            state.verdict.fail(FailureKind.INPUT, why);
        } else {
            state.watcher.warned("A worker was refused: " + why);
        }
    }

    /** A worker says something. */
    void hear(WorkerId worker, Message message) {
        state.claims.require(worker, message);
        state.membership.heard(worker, state.time.awakeNs());
        makesProgress(worker, message);
        if (message instanceof Message.Trying trying) {
            state.crew.tries(worker, trying.samples());
        } else if (message instanceof Message.Ready ready) {
            ready(worker, ready);
        } else if (message instanceof Message.Resized resized) {
            resized(worker, resized);
        } else if (message instanceof Message.Sealed sealed) {
            state.membership.sealed(worker, sealed.epoch(), sealed.progress());
        } else if (message instanceof Message.Faulted faulted) {
            faulted(worker, faulted);
        } else if (message instanceof Message.Steps steps) {
            state.merger.add(steps.epoch(), worker, steps.steps());
            state.watcher.carried(worker, steps.epoch(), steps.links());
            state.watcher.relayed(worker, steps.epoch(), steps.relayed());
            replanIfWished();
        } else if (message instanceof Message.Probed probed) {
            state.partition.heard(worker, probed);
        } else if (message instanceof Message.TriedAlone alone) {
            state.plans.tried(worker, Measured.alone(alone.tried().samples(), alone.tried().ns()));
            replanIfWished();
        } else if (message instanceof Message.Noted noted) {
            note(worker, noted);
        } else if (message instanceof Message.Hashed hashed) {
            if (hashed.epoch() == state.membership.epoch()) { // Else what it did may be void.
                state.verdict.compareHash(worker, hashed.step(), hashed.parameterHash());
            }
        } else if (message instanceof Message.Finished done) {
            if (done.epoch() == state.membership.epoch()) {
                String hash = done.parameterHash();
                if (hash != null) {
                    state.verdict.compareHash(worker, done.step(), hash);
                }
                state.verdict.finished(worker, done, state.membership.members());
            }
        } else if (message instanceof Message.Failed failed) {
            state.crew.failed(worker, failed);
        }
    }

    /** A worker that loads may take long, as long as it makes progress. */
    private void makesProgress(WorkerId worker, Message message) {
        Integer launch = state.roster.launch(worker);
        if (launch != null && !(message instanceof Message.Alive)) {
            state.starts.moved(launch);
        }
    }

    private void ready(WorkerId worker, Message.Ready ready) {
        Integer launch = state.roster.launch(worker);
        state.watcher.ready(worker, ready, launch == null ? null : state.machines.offer(launch));
        state.plans.holds(worker, ready.shards());
        state.plans.joins(
                worker,
                ready.tried().stream().map(t -> Measured.alone(t.samples(), t.ns())).toList());
        long nowNs = state.time.awakeNs();
        if (launch != null) {
            state.starts.arrived(launch);
            state.firstGroup.ready(worker, nowNs - state.starts.begunNs(launch), nowNs);
        }
        state.membership.ready(worker, ready.member(), ready.progress(), nowNs);
    }

    private void resized(WorkerId worker, Message.Resized resized) {
        Integer launch = state.roster.launch(worker);
        MachineKind machine =
                launch == null
                        ? MachineKind.UNKNOWN
                        : state.clusterView.resized(launch, resized.now());
        double faster = resized.now().coresUsed() / resized.before().coresUsed();
        String follows = state.plans.resized(worker, machine, faster);
        String what = state.named(worker) + " may use " + ResizeWords.of(resized);
        String why = follows == null ? what : what + "; " + follows;
        state.watcher.resized(worker, why);
        state.membership.rekeyed(worker, resized.kernelKey(), why);
    }

    private void faulted(WorkerId worker, Message.Faulted faulted) {
        LOG.info("{} in step {}: {}", worker, faulted.step(), faulted.fault().message());
        state.crew.note(faulted.fault());
        if (faulted.fault().isOfAnother()) {
            state.partition.felt();
        }
        if (faulted.epoch() == state.membership.epoch()) {
            state.viewMaker.ended(state.named(worker), faulted.fault());
        }
        state.membership.faulted(worker, faulted.epoch(), faulted.fault());
    }

    /** What the members found out about the paths between them is for more than the record. */
    private void note(WorkerId worker, Message.Noted noted) {
        if (!noted.kind().equals("links")) {
            if (state.newestCheckpoint.heard(noted)) {
                state.membership.kept(
                        state.newestCheckpoint.step(), new WorkerId(state.starts.newest()));
            }
            state.watcher.noted(worker, noted.kind(), noted.value());
            return;
        }
        LinkReport report = Json.bindWhole(noted.value(), LinkReport.class);
        boolean isOfPresent = report.epoch() == state.membership.epoch();
        String why = isOfPresent ? state.clusterView.heard(report) : null;
        if (why != null) {
            state.membership.replan(why);
        }
    }

    /** What a worker that leaves still has for the record. */
    void hearLast(WorkerId worker, Message message) {
        state.claims.require(worker, message);
        if (message instanceof Message.Noted noted && !noted.kind().equals("links")) {
            state.watcher.noted(worker, noted.kind(), noted.value());
        } else if (message instanceof Message.Steps steps) {
            state.merger.add(steps.epoch(), worker, steps.steps());
            state.watcher.carried(worker, steps.epoch(), steps.links());
            state.watcher.relayed(worker, steps.epoch(), steps.relayed());
        }
    }

    /** All members of a group have told of a step. */
    void stepped(int epoch, Map<WorkerId, WorkerStep> steps) {
        state.partition.stepped(state.time.awakeNs());
        steps.forEach((worker, s) -> state.partition.took(worker, s.share(), s.computeNs()));
        Map<WorkerId, Measured> measured = new HashMap<>();
        steps.forEach((worker, step) -> measured.put(worker, MessageCheck.measured(step)));
        if (epoch == state.membership.epoch()) {
            steps.values().stream()
                    .map(WorkerStep::noise)
                    .filter(n -> n != null && n.isFinite())
                    .findFirst()
                    .ifPresent(state.plans::noised);
            state.plans.stepped(state.merger.lastStep(), measured);
            remark(steps.values());
        }
        state.watcher.stepped(epoch, steps);
    }

    private void remark(Collection<WorkerStep> steps) {
        long stepNs = steps.stream().mapToLong(WorkerStep::stepNs).max().orElse(0);
        long samples = steps.stream().mapToLong(WorkerStep::samples).max().orElse(0);
        state.plans.took(samples, stepNs);
        String remark = state.plans.remark();
        if (remark != null) {
            state.watcher.remarked(remark);
        }
    }

    private void replanIfWished() {
        long step = state.merger.lastStep();
        state.plans.sitsOut(step).forEach(state.membership::sitOut);
        state.plans
                .tries(step)
                .forEach(
                        (worker, share) ->
                                state.roster.send(List.of(worker), new Message.Try(share)));
        state.plans.comesBack(step).forEach(state.membership::comeBack);
        String why = state.plans.wish(step);
        if (why != null) {
            state.membership.replan(why);
        }
    }
}
