package dev.medley.control.coordinator;

import dev.medley.base.Clock;
import dev.medley.base.Fault;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.control.coordinator.Inbox.Event;
import dev.medley.control.coordinator.Machines.Consequence;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.launcher.Launcher.Exit;
import dev.medley.control.launcher.Launcher.LaunchException;
import dev.medley.control.planner.PlanSource;
import dev.medley.control.planner.PlanSource.Measured;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.membership.Membership;
import dev.medley.net.membership.Membership.Action;
import dev.medley.net.membership.View;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Coordinates one run: starts its workers, forms their groups, starts the lost anew, and ends when
 * the members say that the run is finished. It takes no part in a step.
 *
 * <p>Thread: {@link #run} is the agent; {@link #interrupt} may be called from any thread.
 */
public final class Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);

    private final CoordinatorOptions options;
    private final World world;
    private final Launcher launcher;
    private final RunWatcher watcher;
    private final PlanSource plans;
    private final Clock clock;
    private final Inbox inbox = new Inbox();

    // Owned by the agent.
    private final Membership membership;
    private final Roster roster = new Roster();
    private final Starts starts;
    private final Greeting greeting;
    private final Forming forming;
    private final Machines machines;
    private final StepMerger merger;
    private final Ends ends = new Ends();
    private final Set<WorkerId> finished = new HashSet<>();
    private final Set<WorkerId> released = new HashSet<>();
    private final Map<Long, String> hashes = new HashMap<>();
    private final Interruption interruption = new Interruption();
    private String lastFault = "";
    private @Nullable RunOutcome outcome;

    /**
     * A coordinator that has not begun.
     *
     * @param options patience and limits
     * @param assignment handed to every worker
     * @param token secret that workers have to know
     * @param world what starts workers, decides plans, watches and tells the time
     */
    public Coordinator(CoordinatorOptions options, JsonNode assignment, String token, World world) {
        this.options = options;
        this.world = world;
        this.launcher = world.launcher();
        this.watcher = world.watcher();
        this.clock = world.clock();
        this.plans = world.plans();
        this.merger = new StepMerger(this::stepped);
        this.starts = new Starts(options, token, world, inbox);
        this.greeting = new Greeting(options, assignment, token);
        this.forming = new Forming(world.plans());
        this.machines = new Machines(launcher, options, watcher, clock);
        this.membership =
                new Membership(
                        options.cluster().workers(),
                        options.cluster().peerTimeoutNs(),
                        world.plans()::groupSize);
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
            for (int i = 0; i < options.cluster().workers() && !machines.areOffered(); i++) {
                launch();
            }
            long nextBeatNs = clock.nowNs();
            while (outcome == null) {
                long nowNs = clock.nowNs();
                if (nowNs >= nextBeatNs) {
                    roster.connections().forEach(c -> c.send(new Message.Beat()));
                    machines.beat();
                    nextBeatNs = nowNs + options.cluster().heartbeatNs();
                }
                long waitNs = Math.min(nextBeatNs - nowNs, membership.nextTickNs(nowNs));
                Event event = inbox.next(waitNs);
                if (event != null) {
                    handle(event);
                }
                checkDeadlines(clock.nowNs());
                act();
            }
            server.close(); // Agents that come back find the next run, not this one.
            new Farewell(roster, inbox, watcher, merger, clock).say(outcome);
            RunOutcome last = outcome.notBefore(merger.lastStep());
            watcher.ended(last);
            return last;
        }
    }

    private void launch() {
        try {
            starts.next();
        } catch (LaunchException e) {
            fail(
                    FailureKind.INPUT,
                    e.getMessage() == null ? "a worker cannot be started" : e.getMessage());
        }
    }

    private void handle(Event event) {
        if (event instanceof Event.Said said) {
            hear(said.by(), said.message());
        } else if (event instanceof Event.HungUp hungUp) {
            hungUp(hungUp);
        } else if (event instanceof Event.Exited exited) {
            exited(exited.exit());
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
        Exit exit = launch == null ? null : ends.take(launch);
        boolean isReleased = worker != null && released.remove(worker);
        if (worker == null || isReleased || membership.phase() == Membership.Phase.STOPPED) {
            roster.hungUp(event.by());
        } else {
            if (launch != null && membership.members().contains(worker)) {
                ends.lostAsMember(launch);
            }
            gone(worker, exit == null ? "connection " + event.why() : howItEnded(exit));
        }
        if (exit != null) {
            judge(exit);
        }
    }

    private void hear(ControlConnection from, Message message) {
        if (message instanceof Message.Hello hello) {
            greet(from, hello);
            return;
        } else if (message instanceof Message.FromAgent said) {
            follow(machines.hear(from, said));
            return;
        }
        WorkerId worker = roster.worker(from);
        if (worker == null) {
            from.close();
            return;
        }
        membership.heard(worker, clock.nowNs());
        if (message instanceof Message.Ready ready) {
            watcher.ready(worker, ready.startUpNs());
            membership.ready(worker, ready.member(), ready.progress(), clock.nowNs());
        } else if (message instanceof Message.Sealed sealed) {
            membership.sealed(worker, sealed.epoch(), sealed.progress());
        } else if (message instanceof Message.Faulted faulted) {
            LOG.info("{} in step {}: {}", worker, faulted.step(), faulted.fault().message());
            lastFault = faulted.fault().message();
            membership.faulted(worker, faulted.epoch(), faulted.fault());
        } else if (message instanceof Message.Steps steps) {
            merger.add(steps.epoch(), worker, steps.steps());
            replanIfWished();
        } else if (message instanceof Message.Noted noted) {
            watcher.noted(worker, noted.kind(), noted.value());
        } else if (message instanceof Message.Hashed hashed) {
            compareHash(worker, hashed.step(), hashed.parameterHash());
        } else if (message instanceof Message.Finished done) {
            compareHash(worker, done.step(), done.parameterHash());
            finished(worker, done);
        } else if (message instanceof Message.Failed failed) {
            failed(worker, failed);
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
        }
    }

    /** A machine that joins gets a worker, however many the run began with. */
    private void startWhereThereIsRoom() {
        while (outcome == null && !interruption.isWished() && launcher.hasRoom()) {
            launch();
        }
    }

    private void stepped(int epoch, Map<WorkerId, WorkerStep> steps) {
        Map<WorkerId, Measured> measured = new HashMap<>();
        steps.forEach(
                (worker, s) ->
                        measured.put(
                                worker, new Measured(s.share(), s.computeNs(), s.exchangeNs())));
        if (epoch == membership.epoch()) {
            plans.stepped(merger.lastStep(), measured);
        }
        watcher.stepped(epoch, steps);
    }

    private void replanIfWished() {
        String why = plans.wish(merger.lastStep());
        if (why != null) {
            membership.replan(why);
        }
    }

    private void greet(ControlConnection from, Message.Hello hello) {
        if (!greeting.isKnown(hello)) {
            from.close();
            return;
        }
        String why = greeting.refusal(hello);
        if (why != null) {
            from.send(new Message.Close(false, why));
            fail(FailureKind.INPUT, why);
            return;
        }
        starts.greeted(hello.launch());
        WorkerId worker = membership.joined(clock.nowNs());
        roster.joined(worker, from, hello.launch());
        watcher.joined(worker, hello.launch());
        from.send(greeting.welcome(worker));
    }

    private void finished(WorkerId worker, Message.Finished done) {
        if (done.epoch() != membership.epoch()) {
            return;
        }
        finished.add(worker);
        if (finished.containsAll(membership.members())) {
            merger.flush(done.step());
            outcome =
                    new RunOutcome(
                            RunOutcome.Kind.COMPLETED,
                            done.step(),
                            done.why(),
                            null,
                            done.parameterHash());
        }
    }

    private void compareHash(WorkerId worker, long step, String hash) {
        String known = hashes.putIfAbsent(step, hash);
        if (known == null) {
            watcher.hashed(step, hash);
        } else if (!known.equals(hash)) {
            fail(
                    FailureKind.BUG,
                    ("%s holds other parameters than its peers after step %d (hash %s, theirs %s):"
                                    + " this is a bug")
                            .formatted(worker, step, hash, known));
        }
    }

    private void gone(WorkerId worker, String why) {
        membership.lost(
                worker, new Fault(Fault.Kind.PEER, worker.toString(), worker + " is lost: " + why));
    }

    private static String howItEnded(Exit exit) {
        return exit.code() < 0
                ? exit.lastWords()
                : "its process ended with exit status " + exit.code();
    }

    private void exited(Exit exit) {
        if (roster.worker(exit.launch()) != null) {
            ends.keep(exit);
        } else {
            judge(exit);
        }
    }

    /** Why a process ended that has nothing more to say. */
    private void judge(Exit exit) {
        boolean beforeHello = starts.endedBeforeHello(exit.launch());
        if (!exit.outOfMemory().isEmpty()) {
            String remedy = ends.wasMember(exit.launch()) ? plans.outOfMemory() : null;
            outOfMemory(exit.outOfMemory(), remedy);
        } else if (beforeHello) {
            neverJoined(
                    "worker %d ended with exit status %d before it could join:%n%s"
                            .formatted(exit.launch(), exit.code(), exit.lastWords()));
        }
        if (ends.judged(exit.launch())) {
            restart();
        }
    }

    private void failed(WorkerId worker, Message.Failed failed) {
        if (failed.kind() != FailureKind.OUT_OF_MEMORY) {
            fail(failed.kind(), failed.message());
            return;
        }
        boolean isMember = membership.members().contains(worker);
        String remedy = isMember ? plans.outOfMemory() : null;
        outOfMemory(failed.message(), remedy);
        if (remedy != null) {
            gone(worker, failed.message());
        }
    }

    /**
     * A member that ran out of memory in a step is started anew and gets its share in smaller
     * parts. Where that is not to be had, or there was no step yet, the run ends.
     */
    private void outOfMemory(String message, @Nullable String remedy) {
        if (remedy == null) {
            fail(FailureKind.OUT_OF_MEMORY, message);
        } else {
            watcher.warned(message + ". Now " + remedy);
            starts.grantRestart();
        }
    }

    /**
     * A start that came to nothing is a lost worker, too: the others go on while there are some.
     */
    private void neverJoined(String what) {
        LOG.warn("{}", what);
        lastFault = what;
        restart();
    }

    private void restart() {
        if (outcome != null || interruption.isWished()) {
            return;
        }
        if (!launcher.hasRoom()) {
            return; // Another machine may join; how long to wait for one is known elsewhere.
        }
        if (starts.takeRestart()) {
            launch();
        } else if (roster.isEmpty() && starts.awaited() == 0) {
            fail(
                    FailureKind.BUG,
                    "all workers are lost and cluster.restarts=%d is used up; the last fault: %s"
                            .formatted(options.cluster().restarts(), lastFault));
        } else {
            membership.expect(roster.size() + starts.awaited());
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
        if (interruption.isWished()
                && membership.phase() == Membership.Phase.STOPPED
                && roster.isEmpty()) {
            end(RunOutcome.Kind.INTERRUPTED, "interrupted");
        }
    }

    private void act(Action action) {
        if (action instanceof Action.TellSeal seal) {
            roster.send(seal.to(), new Message.Seal(seal.epoch(), seal.why()));
        } else if (action instanceof Action.TellPause pause) {
            roster.send(pause.to(), new Message.Pause(pause.epoch(), pause.why()));
        } else if (action instanceof Action.TellForm form) {
            form(form);
        } else if (action instanceof Action.Released out) {
            released.add(out.worker());
            watcher.released(out.worker(), out.why());
            roster.send(List.of(out.worker()), new Message.Close(out.saveFirst(), out.why()));
        } else if (action instanceof Action.Lost lost) {
            LOG.warn("{}", lost.fault().message());
            lastFault = lost.fault().message();
            watcher.lost(lost.worker(), lost.fault());
            Integer launch = roster.lost(lost.worker()).orElse(null);
            if (launch != null) {
                launcher.kill(launch);
            }
            if (launch == null || !ends.await(launch, clock.nowNs())) {
                restart();
            }
        } else if (action instanceof Action.Stopped stopped) {
            merger.flush(stopped.committed().step());
            for (WorkerId worker : roster.workers()) {
                boolean save = worker.equals(stopped.ahead());
                roster.send(List.of(worker), new Message.Close(save, "the run was interrupted"));
            }
            interruption.saving(clock.nowNs());
        }
    }

    private void form(Action.TellForm form) {
        finished.clear();
        hashes.clear();
        long step = form.committed().step();
        int fruitless = forming.fruitlessGroups(step);
        if (fruitless > Forming.MOST_FRUITLESS_GROUPS) {
            fail(
                    FailureKind.BUG,
                    "%d groups in a row ended without a step after step %d; the last fault: %s"
                            .formatted(fruitless, step, lastFault));
            return;
        }
        machines.formed();
        View view = forming.view(form);
        List<WorkerId> members = form.group().members().stream().map(Member::worker).toList();
        merger.formed(form.group().epoch(), Set.copyOf(members), step);
        watcher.formed(view);
        roster.send(members, new Message.Form(view));
    }

    private void interruptNow() {
        if (interruption.isWished()) {
            end(RunOutcome.Kind.INTERRUPTED, "stopped at once: interrupted twice");
        } else {
            interruption.wish();
            membership.stop("the user asked for the end");
            if (membership.phase() == Membership.Phase.STOPPED && membership.members().isEmpty()) {
                end(RunOutcome.Kind.INTERRUPTED, "interrupted before the first step");
            }
        }
    }

    private void checkDeadlines(long nowNs) {
        membership.tick(nowNs);
        if (membership.members().isEmpty()) {
            machines.lostAll();
        }
        String alone = machines.check(nowNs);
        if (alone != null) {
            fail(FailureKind.INPUT, alone);
        }
        Integer overdue = starts.overdue(nowNs);
        if (overdue != null) {
            launcher.kill(overdue);
            neverJoined(
                    "worker %d did not join within %d ms of its start: see its log"
                            .formatted(overdue, options.startTimeoutNs() / 1_000_000));
        }
        for (int i = ends.overdue(nowNs); i > 0; i--) {
            restart();
        }
        if (interruption.isSaveOverdue(nowNs)) {
            end(
                    RunOutcome.Kind.INTERRUPTED,
                    "interrupted; the last checkpoint could not be written in time");
        }
    }

    private void fail(FailureKind kind, String message) {
        if (outcome == null) {
            outcome =
                    new RunOutcome(RunOutcome.Kind.FAILED, merger.lastStep(), message, kind, null);
        }
    }

    private void end(RunOutcome.Kind kind, String why) {
        if (outcome == null) {
            outcome = new RunOutcome(kind, merger.lastStep(), why, null, null);
        }
    }
}
