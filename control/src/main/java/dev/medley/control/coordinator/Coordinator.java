package dev.medley.control.coordinator;

import static dev.medley.net.control.ProtocolException.check;

import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.base.time.Clock;
import dev.medley.control.coordinator.Inbox.Event;
import dev.medley.control.coordinator.Machines.Consequence;
import dev.medley.control.failure.Interruption;
import dev.medley.control.failure.LastCheckpoint;
import dev.medley.control.failure.NewestCheckpoint;
import dev.medley.control.failure.OwnFailures;
import dev.medley.control.failure.Partition;
import dev.medley.control.failure.Verdict;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.watch.MessageCheck;
import dev.medley.control.watch.Roster;
import dev.medley.control.watch.RunOutcome;
import dev.medley.control.watch.RunWatcher;
import dev.medley.control.watch.RunWatcher.LaunchCause;
import dev.medley.control.watch.StepMerger;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.membership.Membership;
import dev.medley.net.membership.Membership.Action;
import dev.medley.net.membership.View;
import dev.medley.plan.policy.MachineKind;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.profile.cluster.LinkReport;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Coordinates one run: starts its workers, forms their groups, replaces lost workers, and ends when
 * the members report that the run is finished. It takes no part in a step.
 *
 * <p>Thread: {@link #run} is the agent; {@link #interrupt} may be called from any thread.
 *
 * <p>Long because it hears every message and does every action; what follows from them is in
 * classes of its own.
 */
public final class Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

    /** So many events are taken before deadlines are looked at, however many more have come. */
    private static final int MOST_EVENTS = 10_000;

    private final CoordinatorOptions options;
    private final World world;
    private final Launcher launcher;
    private final OwnFailures ownFailures;
    private final RunWatcher watcher;
    private final PlanSource plans;
    private final Clock clock;
    private final Inbox inbox = new Inbox();

    // Owned by the agent.
    private final Membership membership;
    private final Roster roster = new Roster();
    private final Starts starts;
    private final FirstGroup firstGroup;
    private final Admission greeting;
    private final ViewMaker forming;
    private final Machines machines;
    private final Heartbeats heartbeats;
    private final ClusterView clusterView;
    private final StepMerger merger;
    private final MessageCheck claims;
    private final Crew crew;
    private final Partition partition;
    private final Verdict verdict;
    private final Set<WorkerId> released = new HashSet<>();
    private final NewestCheckpoint newestCheckpoint = new NewestCheckpoint();
    private final Interruption interruption = new Interruption();
    private final LastCheckpoint lastCheckpoint;
    private Action.@Nullable TellForm held; // A group whose members are told of it later.
    private long heldUntilNs;

    /**
     * A coordinator that has not begun.
     *
     * @param options patience and limits
     * @param assignment handed to every worker that comes, as it is then
     * @param token secret of the run, handed to workers; {@code world}'s door knows it, too
     * @param world what starts workers, decides plans, watches and tells the time
     */
    public Coordinator(
            CoordinatorOptions options, Supplier<JsonNode> assignment, String token, World world) {
        this.options = options;
        this.launcher = world.launcher();
        this.ownFailures = new OwnFailures(world.watcher());
        this.watcher = ownFailures.watched();
        this.clock = world.clock();
        this.world = new World(launcher, world.door(), world.plans(), watcher, clock);
        this.plans = world.plans();
        this.merger = new StepMerger(this::stepped);
        this.claims = new MessageCheck(merger);
        this.starts = new Starts(options, token, this.world, inbox);
        this.firstGroup = new FirstGroup(options);
        this.greeting = new Admission(options, assignment);
        this.forming = new ViewMaker(world.plans());
        this.machines = new Machines(launcher, options, watcher, clock);
        long heartbeatNs = options.cluster().heartbeatNs();
        this.heartbeats = new Heartbeats(roster, machines, merger, watcher, clock, heartbeatNs);
        this.clusterView = new ClusterView(plans, machines, roster, watcher);
        this.membership =
                new Membership(
                        options.cluster().workers(),
                        options.cluster().peerTimeoutNs(),
                        world.plans()::groupSize);
        this.partition =
                new Partition(membership, roster, watcher, options.cluster().peerTimeoutNs());
        this.verdict = new Verdict(merger, watcher);
        this.lastCheckpoint = new LastCheckpoint(membership, roster, verdict, ownFailures, clock);
        this.crew =
                new Crew(
                        new Crew.Run(
                                options.cluster().restarts(),
                                launcher,
                                starts,
                                roster,
                                membership,
                                plans,
                                watcher,
                                interruption,
                                verdict));
    }

    /** What a coordinator reaches outside itself. */
    public record World(
            Launcher launcher, Door door, PlanSource plans, RunWatcher watcher, Clock clock) {}

    /** Where workers and agents connect. */
    @FunctionalInterface
    public interface Door {
        /** Opens it; what is said there goes to {@code handler}. */
        ControlServer open(ControlConnection.Handler handler) throws IOException;
    }

    /**
     * Asks for the end: the first time after the step under way and a checkpoint, the second time
     * at once.
     */
    public void interrupt() {
        inbox.interrupt();
    }

    /** Runs to the end; every worker has left when it returns. */
    public RunOutcome run() throws IOException, InterruptedException {
        try (ControlServer server = world.door().open(inbox);
                launcher) {
            starts.joinAt(server.address());
            machines.listening(server.address());
            startWorkers();
            lastCheckpoint.turnUntilOver(this::turn);
            server.close(); // Agents that come back find the next run, not this one.
            RunOutcome outcome = Objects.requireNonNull(verdict.outcome());
            new Farewell(roster, inbox, ownFailures, claims, merger, clock).say(outcome);
            RunOutcome last = verdict.last();
            watcher.ended(last);
            return last;
        }
    }

    /** Unless they come from machines that join. */
    private void startWorkers() {
        int workers = machines.areOffered() ? 0 : options.cluster().workers();
        for (int left = workers - 1; left >= 0; left--) {
            starts.expect(left);
            boolean unused = crew.launch(LaunchCause.BEGINNING);
        }
    }

    private void turn() throws InterruptedException {
        act();
        heartbeats.beat();
        long nowNs = clock.awakeNs();
        long waitNs = Math.min(heartbeats.nextNs() - nowNs, membership.nextTickNs(nowNs));
        waitNs = held == null ? waitNs : Math.min(waitNs, heldUntilNs - nowNs);
        takeEvents(waitNs);
        checkDeadlines(clock.awakeNs());
        act();
    }

    /**
     * Waits for an event, then takes all that have come, before anybody is judged: who spoke while
     * this side was busy or asleep was not silent. Signs of life go out meanwhile.
     */
    private void takeEvents(long waitNs) throws InterruptedException {
        Event event = inbox.next(waitNs);
        for (int taken = 1; event != null; taken++) {
            if (event instanceof Event.Said said) {
                take(said);
            } else {
                handle(event);
            }
            act();
            heartbeats.beat();
            boolean goesOn = taken < MOST_EVENTS && !lastCheckpoint.isOver();
            event = goesOn ? inbox.next(0) : null;
        }
    }

    /** What a caller says, and what follows from it, ends at most its own connection. */
    private void take(Event.Said said) {
        boolean isWorker = roster.worker(said.by()) != null;
        try {
            hear(said.by(), said.message());
            if (isWorker) {
                act();
            }
        } catch (RuntimeException e) {
            RuntimeException theirs = ownFailures.unlessOwn(e);
            crew.misspoke(roster.worker(said.by()), said.message(), theirs);
            said.by().close();
        }
    }

    private void handle(Event event) {
        if (event instanceof Event.HungUp hungUp) {
            hungUp(hungUp);
        } else if (event instanceof Event.Exited exited) {
            crew.exited(exited.exit());
            if (exited.exit().code() < 0) {
                parted(new WorkerId(exited.exit().launch())); // Its machine is gone.
            }
        } else {
            interruptNow();
        }
    }

    private void hungUp(Event.HungUp event) {
        if (machines.hungUp(event.by())) {
            return;
        }
        WorkerId worker = roster.worker(event.by());
        Integer launch = worker == null ? null : roster.launch(worker);
        boolean hasLeft = worker != null && released.remove(worker);
        boolean isOver = membership.phase() == Membership.Phase.STOPPED || hasLeft;
        if (worker == null || launch == null || isOver) {
            roster.hungUp(event.by());
            if (launch != null) {
                crew.parted(launch);
            }
            if (worker != null && hasLeft) {
                parted(worker);
            }
        } else {
            crew.hungUp(worker, launch, event.why());
        }
    }

    /** Somebody may wait for what it was told to keep. */
    private void parted(WorkerId worker) {
        membership.parted(worker, newestCheckpoint.step(), new WorkerId(starts.newest()));
    }

    private void hear(ControlConnection from, Message message) {
        MessageCheck.requireKind(from.kind(), message);
        if (message instanceof Message.Hello hello) {
            greet(from, hello);
            return;
        } else if (message instanceof Message.FromAgent said) {
            check(roster.worker(from) == null, "a worker says what agents do");
            follow(machines.hear(from, said));
            return;
        }
        WorkerId worker = roster.worker(from);
        if (worker == null) {
            throw new ProtocolException(message.getClass().getSimpleName() + " before hello");
        }
        claims.require(worker, message);
        membership.heard(worker, clock.awakeNs());
        getsOn(worker, message);
        if (message instanceof Message.Trying trying) {
            crew.tries(worker, trying.samples());
        } else if (message instanceof Message.Ready ready) {
            ready(worker, ready);
        } else if (message instanceof Message.Sealed sealed) {
            membership.sealed(worker, sealed.epoch(), sealed.progress());
        } else if (message instanceof Message.Faulted faulted) {
            LOG.info("{} in step {}: {}", worker, faulted.step(), faulted.fault().message());
            crew.note(faulted.fault());
            if (faulted.fault().isOfAnother()) {
                partition.felt();
            }
            if (faulted.epoch() == membership.epoch()) {
                forming.ended(named(worker), faulted.fault());
            }
            membership.faulted(worker, faulted.epoch(), faulted.fault());
        } else if (message instanceof Message.Steps steps) {
            merger.add(steps.epoch(), worker, steps.steps());
            watcher.carried(worker, steps.epoch(), steps.links());
            watcher.relayed(worker, steps.epoch(), steps.relayed());
            replanIfWished();
        } else if (message instanceof Message.Probed probed) {
            partition.heard(worker, probed);
        } else if (message instanceof Message.TriedAlone alone) {
            plans.tried(worker, Measured.alone(alone.tried().samples(), alone.tried().ns()));
            replanIfWished();
        } else if (message instanceof Message.Noted noted) {
            note(worker, noted);
        } else if (message instanceof Message.Hashed hashed) {
            if (hashed.epoch() == membership.epoch()) { // Else what it did may be void.
                verdict.compareHash(worker, hashed.step(), hashed.parameterHash());
            }
        } else if (message instanceof Message.Finished done) {
            if (done.epoch() == membership.epoch()) {
                verdict.compareHash(worker, done.step(), done.parameterHash());
                verdict.finished(worker, done, membership.members());
            }
        } else if (message instanceof Message.Failed failed) {
            crew.failed(worker, failed);
        }
    }

    /** A worker that loads may take long, as long as it makes progress. */
    private void getsOn(WorkerId worker, Message message) {
        Integer launch = roster.launch(worker);
        if (launch != null && !(message instanceof Message.Alive)) {
            starts.moved(launch);
        }
    }

    private void ready(WorkerId worker, Message.Ready ready) {
        Integer launch = roster.launch(worker);
        watcher.ready(worker, ready, launch == null ? null : machines.offer(launch));
        plans.holds(worker, ready.shards());
        plans.joins(
                worker,
                ready.tried().stream().map(t -> Measured.alone(t.samples(), t.ns())).toList());
        long nowNs = clock.awakeNs();
        if (launch != null) {
            starts.arrived(launch);
            firstGroup.ready(worker, nowNs - starts.begunNs(launch), nowNs);
        }
        membership.ready(worker, ready.member(), ready.progress(), nowNs);
    }

    /** What the members found out about the ways between them is for more than the record. */
    private void note(WorkerId worker, Message.Noted noted) {
        if (!noted.kind().equals("links")) {
            newestCheckpoint.heard(noted);
            watcher.noted(worker, noted.kind(), noted.value());
            return;
        }
        LinkReport report = Json.bindWhole(noted.value(), LinkReport.class);
        String why = report.epoch() == membership.epoch() ? clusterView.heard(report) : null;
        if (why != null) {
            membership.replan(why);
        }
    }

    private void follow(Consequence consequence) {
        if (consequence instanceof Consequence.Room) {
            startWhereThereIsRoom();
        } else if (consequence instanceof Consequence.Leave leave) {
            WorkerId worker = roster.worker(leave.launch());
            if (worker == null) {
                launcher.kill(leave.launch());
            } else {
                membership.leave(worker, worker + " leaves: " + leave.why());
            }
        } else if (consequence instanceof Consequence.Begun begun) {
            starts.processBegan(begun.launch());
        }
    }

    /** A machine that joins gets a worker, however many the run began with. */
    private void startWhereThereIsRoom() {
        boolean goesOn = true;
        while (goesOn && !verdict.isKnown() && !interruption.isWished() && launcher.hasRoom()) {
            goesOn = crew.launch(LaunchCause.MACHINE);
        }
    }

    private void stepped(int epoch, Map<WorkerId, WorkerStep> steps) {
        partition.stepped(clock.awakeNs());
        steps.forEach((worker, s) -> partition.took(worker, s.share(), s.computeNs()));
        Map<WorkerId, Measured> measured = new HashMap<>();
        steps.forEach((worker, step) -> measured.put(worker, MessageCheck.measured(step)));
        if (epoch == membership.epoch()) {
            steps.values().stream()
                    .map(WorkerStep::noise)
                    .filter(n -> n != null && n.isFinite())
                    .findFirst()
                    .ifPresent(plans::noised);
            plans.stepped(merger.lastStep(), measured);
            remark(steps.values());
        }
        watcher.stepped(epoch, steps);
    }

    private void remark(Collection<WorkerStep> steps) {
        long stepNs = steps.stream().mapToLong(WorkerStep::stepNs).max().orElse(0);
        long samples = steps.stream().mapToLong(WorkerStep::samples).max().orElse(0);
        plans.took(samples, stepNs);
        String remark = plans.remark();
        if (remark != null) {
            watcher.remarked(remark);
        }
    }

    private void replanIfWished() {
        plans.sitsOut(merger.lastStep()).forEach(membership::sitOut);
        plans.tries(merger.lastStep())
                .forEach((worker, share) -> roster.send(List.of(worker), new Message.Try(share)));
        plans.comesBack(merger.lastStep()).forEach(membership::comeBack);
        String why = plans.wish(merger.lastStep());
        if (why != null) {
            membership.replan(why);
        }
    }

    private void greet(ControlConnection from, Message.Hello hello) {
        check(roster.worker(from) == null && !machines.know(from), "a second greeting");
        check(starts.isAwaited(hello.launch()), "nobody waits for worker %d", hello.launch());
        String why = greeting.refusal(hello);
        if (why != null) {
            from.send(new Message.Close(false, why));
            refused(why);
            return;
        }
        starts.greeted(hello.launch());
        WorkerId worker = new WorkerId(hello.launch());
        membership.joined(worker, clock.awakeNs());
        roster.joined(worker, from, hello.launch());
        watcher.joined(worker, hello.launch());
        MachineKind machine = clusterView.machineOfLaunch(hello.launch());
        crew.came(hello.launch(), machine.type());
        TrialScope trial = plans.comes(worker, machine);
        from.send(greeting.welcome(worker, trial));
    }

    /** A machine may be built anew while a run goes on: that is not the end of the others. */
    private void refused(String why) {
        if (membership.members().isEmpty()) {
            verdict.fail(FailureKind.INPUT, why);
        } else {
            watcher.warned("A worker was refused: " + why);
        }
    }

    private void act() {
        for (List<Action> actions = membership.takeActions();
                !actions.isEmpty();
                actions = membership.takeActions()) {
            for (Action action : actions) {
                act(action);
            }
        }
        if (interruption.isWished() && membership.phase() == Membership.Phase.STOPPED) {
            if (!interruption.isSaving()) {
                endWithout(); // Who is still loading holds nothing.
            } else if (roster.isEmpty()) {
                verdict.end(RunOutcome.Kind.INTERRUPTED, "interrupted");
            }
        }
    }

    private void act(Action action) {
        if (action instanceof Action.TellSeal seal) {
            held = null; // Its members are asked for the next one.
            roster.send(seal.to(), new Message.Seal(seal.epoch(), seal.why()));
        } else if (action instanceof Action.TellPause pause) {
            roster.send(pause.to(), new Message.Pause(pause.epoch(), pause.kind(), pause.why()));
        } else if (action instanceof Action.TellForm form) {
            formSoon(form);
        } else if (action instanceof Action.Released out) {
            released.add(out.worker());
            plans.leaves(out.worker());
            firstGroup.lost(out.worker());
            watcher.released(out.worker(), out.why());
            roster.send(List.of(out.worker()), new Message.Close(out.saveFirst(), out.why()));
            endIfLoading(out.worker());
        } else if (action instanceof Action.Anew anew) {
            plans.leaves(anew.worker());
            firstGroup.lost(anew.worker());
            crew.anew(anew.worker(), anew.why(), clock.awakeNs());
        } else if (action instanceof Action.Lost lost) {
            plans.leaves(lost.worker());
            firstGroup.lost(lost.worker());
            crew.lost(lost.worker(), lost.fault(), clock.awakeNs());
        } else if (action instanceof Action.Stopped stopped) {
            verdict.stopped(stopped.committed().step());
            lastCheckpoint.stopped(stopped);
            interruption.saving(clock.awakeNs());
        }
    }

    /** It holds nothing, and may load for long before it hears that it is to leave. */
    private void endIfLoading(WorkerId worker) {
        Integer launch = roster.launch(worker);
        if (launch != null && starts.isLoading(launch)) {
            launcher.kill(launch);
        }
    }

    /** Groups that take no step follow each other slowly: what ends them has to be found out. */
    private void formSoon(Action.TellForm form) {
        verdict.formed();
        long step = form.committed().step();
        int fruitless = forming.fruitlessGroups(step);
        if (fruitless > ViewMaker.MOST_FRUITLESS_GROUPS) {
            verdict.fail(
                    FailureKind.BUG,
                    "%d groups in a row ended without a step after step %d; the last fault: %s"
                            .formatted(fruitless, step, crew.lastFault()));
            return;
        }
        held = form;
        heldUntilNs = clock.awakeNs() + ViewMaker.pauseNs(fruitless);
        formWhatIsHeld();
    }

    private void formWhatIsHeld() {
        Action.TellForm form = held;
        if (form != null && clock.awakeNs() >= heldUntilNs) {
            held = null;
            form(form);
        }
    }

    private void form(Action.TellForm form) {
        long step = form.committed().step();
        String inVain = forming.inVain();
        if (inVain != null) {
            watcher.warned(inVain);
        }
        machines.formed();
        firstGroup.formed();
        View view;
        try {
            List<Group.Cut> cuts = partition.relayed(form.group().members());
            view = forming.view(clusterView.placed(form, cuts));
        } catch (RuntimeException e) {
            verdict.unplanned(form.group(), ownFailures.unlessOwn(e));
            return;
        }
        List<WorkerId> members = form.group().members().stream().map(Member::worker).toList();
        merger.formed(form.group().epoch(), Set.copyOf(members), step);
        watcher.formed(view);
        roster.send(members, new Message.Form(view));
    }

    /** With the machine that it runs on, where machines joined. */
    private String named(WorkerId worker) {
        Integer launch = roster.launch(worker);
        return launch == null ? worker.toString() : named(launch);
    }

    private String named(int launch) {
        WorkerId worker = new WorkerId(launch);
        Message.Offer offer = machines.offer(launch);
        return offer == null ? worker.toString() : "%s on %s".formatted(worker, offer.name());
    }

    private void interruptNow() {
        if (interruption.isWished()) {
            lastCheckpoint.giveUp();
            verdict.end(RunOutcome.Kind.INTERRUPTED, "stopped at once: interrupted twice");
        } else {
            interruption.wish();
            membership.stop("the user asked for the end");
            if (membership.phase() == Membership.Phase.STOPPED && membership.members().isEmpty()) {
                endWithout();
            }
        }
    }

    /** Nobody holds what a checkpoint could be made of. */
    private void endWithout() {
        String when = merger.lastStep() == 0 ? "before the first step" : "with no worker left";
        verdict.end(RunOutcome.Kind.INTERRUPTED, "interrupted " + when);
    }

    private void checkDeadlines(long nowNs) {
        membership.tick(nowNs);
        formWhatIsHeld();
        partition.tick(nowNs);
        String why = firstGroup.begins(nowNs);
        if (why != null) {
            watcher.remarked(why);
            membership.expect(firstGroup.size());
        }
        if (membership.members().isEmpty()) {
            machines.lostAll();
        }
        String alone = machines.check(nowNs);
        if (alone != null) {
            verdict.fail(FailureKind.INPUT, alone);
        }
        crew.checkDeadlines(nowNs);
        starts.slow(nowNs).forEach(slow -> watcher.warned(slow.sentence(named(slow.launch()))));
        if (interruption.isSaveOverdue(nowNs)) {
            verdict.end(
                    RunOutcome.Kind.INTERRUPTED,
                    "interrupted; the last checkpoint could not be written in time");
        }
    }
}
