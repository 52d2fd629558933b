package dev.medley.control.coordinator;

import dev.medley.base.Clock;
import dev.medley.base.Fault;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.launcher.Launcher.LaunchException;
import dev.medley.control.planner.PlanSource;
import dev.medley.net.control.ControlConnection;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.membership.Membership;
import dev.medley.net.membership.Membership.Action;
import dev.medley.net.membership.View;
import dev.medley.profile.machine.OutOfMemory;
import dev.medley.profile.machine.OutOfMemory.Verdict;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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

    /** A joining worker or a lost one makes a group end early; so many in a row are no accident. */
    private static final int MOST_FRUITLESS_GROUPS = 20;

    private static final long SAVE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(120);
    private static final long LEAVE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private final CoordinatorOptions options;
    private final JsonNode assignment;
    private final Launcher launcher;
    private final PlanSource plans;
    private final RunWatcher watcher;
    private final Clock clock;
    private final String token;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

    // Owned by the agent.
    private final Membership membership;
    private final Roster roster = new Roster();
    private final StepMerger merger;
    private final Set<WorkerId> finished = new HashSet<>();
    private final Map<Long, String> hashes = new HashMap<>();
    private final Map<Integer, Long> helloDeadlinesNs = new HashMap<>();
    private int launches;
    private int restartsLeft;
    private int planVersion;
    private long formedStep = -1;
    private int fruitlessGroups;
    private String lastFault = "";
    private boolean interrupted;
    private long closeDeadlineNs = Long.MAX_VALUE;
    private @Nullable RunOutcome outcome;

    /** What the agent is told by other threads. */
    private sealed interface Event {
        record Said(ControlConnection by, Message message) implements Event {}

        record HungUp(ControlConnection by, String why) implements Event {}

        record Exited(int launch, int code, String lastWords) implements Event {}

        record Interrupted() implements Event {}
    }

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
        this.assignment = assignment;
        this.token = token;
        this.launcher = world.launcher();
        this.plans = world.plans();
        this.watcher = world.watcher();
        this.clock = world.clock();
        this.merger = new StepMerger(watcher);
        this.restartsLeft = options.cluster().restarts();
        this.membership =
                new Membership(
                        options.cluster().workers(),
                        options.cluster().peerTimeoutNs(),
                        plans::groupSize);
    }

    /** What a coordinator reaches outside itself. */
    public record World(Launcher launcher, PlanSource plans, RunWatcher watcher, Clock clock) {}

    /**
     * Asks for the end: the first time after the step under way and a checkpoint, the second time
     * at once.
     */
    public void interrupt() {
        events.add(new Event.Interrupted());
    }

    /** Runs to the end; every worker has left when it returns. */
    public RunOutcome run() throws IOException, InterruptedException {
        try (ControlServer server = ControlServer.onLoopback(new ToEvents());
                launcher) {
            for (int i = 0; i < options.cluster().workers(); i++) {
                launch(server);
            }
            long nextBeatNs = clock.nowNs();
            while (outcome == null) {
                long nowNs = clock.nowNs();
                if (nowNs >= nextBeatNs) {
                    roster.connections().forEach(c -> c.send(new Message.Beat()));
                    nextBeatNs = nowNs + options.cluster().heartbeatNs();
                }
                long waitNs = Math.min(nextBeatNs - nowNs, membership.nextTickNs(nowNs));
                Event event = events.poll(Math.max(0, waitNs), TimeUnit.NANOSECONDS);
                if (event != null) {
                    handle(event, server);
                }
                checkDeadlines(clock.nowNs());
                act(server);
            }
            leave(outcome);
            watcher.ended(outcome);
            return outcome;
        }
    }

    private final class ToEvents implements ControlConnection.Handler {
        @Override
        public void received(ControlConnection from, Message message) {
            events.add(new Event.Said(from, message));
        }

        @Override
        public void closed(ControlConnection connection, String why) {
            events.add(new Event.HungUp(connection, why));
        }
    }

    private void launch(ControlServer server) {
        int launch = ++launches;
        try {
            launcher.launch(
                    launch,
                    server.address(),
                    token,
                    (ended, code, words) -> events.add(new Event.Exited(ended, code, words)));
            helloDeadlinesNs.put(launch, clock.nowNs() + options.startTimeoutNs());
            watcher.launched(launch);
        } catch (LaunchException e) {
            fail(
                    FailureKind.INPUT,
                    e.getMessage() == null ? "a worker cannot be started" : e.getMessage());
        }
    }

    private void handle(Event event, ControlServer server) {
        if (event instanceof Event.Said said) {
            hear(said.by(), said.message());
        } else if (event instanceof Event.HungUp hungUp) {
            hungUp(hungUp);
        } else if (event instanceof Event.Exited exited) {
            exited(exited, server);
        } else {
            interruptNow();
        }
    }

    private void hungUp(Event.HungUp event) {
        WorkerId worker = roster.worker(event.by());
        if (worker == null || membership.phase() == Membership.Phase.STOPPED) {
            roster.hungUp(event.by());
        } else {
            gone(worker, "connection " + event.why());
        }
    }

    private void hear(ControlConnection from, Message message) {
        if (message instanceof Message.Hello hello) {
            greet(from, hello);
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
        } else if (message instanceof Message.Noted noted) {
            watcher.noted(worker, noted.kind(), noted.value());
        } else if (message instanceof Message.Hashed hashed) {
            compareHash(worker, hashed.step(), hashed.parameterHash());
        } else if (message instanceof Message.Finished done) {
            compareHash(worker, done.step(), done.parameterHash());
            finished(worker, done);
        } else if (message instanceof Message.Failed failed) {
            fail(failed.kind(), failed.message());
        }
    }

    private void greet(ControlConnection from, Message.Hello hello) {
        if (!hello.token().equals(token)) {
            from.close();
            return;
        }
        if (!hello.version().equals(options.version())) {
            String why =
                    "worker %d is Medley %s, the coordinator is %s: use one version"
                            .formatted(hello.launch(), hello.version(), options.version());
            from.send(new Message.Close(false, why));
            fail(FailureKind.INPUT, why);
            return;
        }
        helloDeadlinesNs.remove(hello.launch());
        WorkerId worker = membership.joined(clock.nowNs());
        roster.joined(worker, from, hello.launch());
        watcher.joined(worker, hello.launch());
        from.send(
                new Message.Welcome(
                        worker,
                        options.cluster().heartbeatNs(),
                        options.cluster().peerTimeoutNs(),
                        assignment));
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

    private void exited(Event.Exited exited, ControlServer server) {
        boolean beforeHello = helloDeadlinesNs.remove(exited.launch()) != null;
        WorkerId worker = roster.worker(exited.launch());
        Verdict verdict = options.memory().explain("worker " + exited.launch(), exited.code());
        if (verdict.cause() == OutOfMemory.Cause.KERNEL) {
            fail(FailureKind.OUT_OF_MEMORY, verdict.message());
            return;
        }
        if (worker != null) {
            gone(worker, "its process ended with exit status " + exited.code());
        } else if (beforeHello && outcome == null) {
            LOG.warn("worker {} ended before its hello: {}", exited.launch(), exited.lastWords());
            if (restartsLeft == 0) {
                fail(
                        FailureKind.BUG,
                        "worker %d ended with exit status %d before it could join:%n%s"
                                .formatted(exited.launch(), exited.code(), exited.lastWords()));
            } else {
                restart(server);
            }
        }
    }

    private void restart(ControlServer server) {
        if (outcome != null || interrupted) {
            return;
        }
        if (restartsLeft > 0) {
            restartsLeft--;
            launch(server);
        } else if (roster.isEmpty() && helloDeadlinesNs.isEmpty()) {
            fail(
                    FailureKind.BUG,
                    "all workers are lost and cluster.restarts=%d is used up; their logs say why"
                            .formatted(options.cluster().restarts()));
        } else {
            membership.expect(roster.size() + helloDeadlinesNs.size());
        }
    }

    private void act(ControlServer server) {
        for (List<Action> actions = membership.takeActions();
                !actions.isEmpty();
                actions = membership.takeActions()) {
            for (Action action : actions) {
                act(action, server);
            }
        }
        if (interrupted && membership.phase() == Membership.Phase.STOPPED && roster.isEmpty()) {
            end(RunOutcome.Kind.INTERRUPTED, "interrupted");
        }
    }

    private void act(Action action, ControlServer server) {
        if (action instanceof Action.TellSeal seal) {
            roster.send(seal.to(), new Message.Seal(seal.epoch(), seal.why()));
        } else if (action instanceof Action.TellPause pause) {
            roster.send(pause.to(), new Message.Pause(pause.epoch(), pause.why()));
        } else if (action instanceof Action.TellForm form) {
            form(form);
        } else if (action instanceof Action.Lost lost) {
            LOG.warn("{}", lost.fault().message());
            watcher.lost(lost.worker(), lost.fault());
            roster.lost(lost.worker()).ifPresent(launcher::kill);
            restart(server);
        } else if (action instanceof Action.Stopped stopped) {
            merger.flush(stopped.committed().step());
            for (WorkerId worker : roster.workers()) {
                boolean save = worker.equals(stopped.ahead());
                roster.send(List.of(worker), new Message.Close(save, "the run was interrupted"));
            }
            closeDeadlineNs = clock.nowNs() + SAVE_TIMEOUT_NS;
        }
    }

    private void form(Action.TellForm form) {
        finished.clear();
        hashes.clear();
        long step = form.committed().step();
        fruitlessGroups = step == formedStep ? fruitlessGroups + 1 : 0;
        formedStep = step;
        if (fruitlessGroups > MOST_FRUITLESS_GROUPS) {
            fail(
                    FailureKind.BUG,
                    "%d groups in a row ended without a step after step %d; the last fault: %s"
                            .formatted(fruitlessGroups, step, lastFault));
            return;
        }
        Plan plan = plans.plan(form.group(), ++planVersion, step);
        View view =
                new View(
                        form.group(),
                        plan,
                        form.committed(),
                        form.source(),
                        form.behind(),
                        plans.lastStep(step));
        List<WorkerId> members = form.group().members().stream().map(Member::worker).toList();
        merger.formed(form.group().epoch(), Set.copyOf(members), step);
        watcher.formed(view);
        roster.send(members, new Message.Form(view));
    }

    private void interruptNow() {
        if (interrupted) {
            end(RunOutcome.Kind.INTERRUPTED, "stopped at once: interrupted twice");
        } else {
            interrupted = true;
            membership.stop("the user asked for the end");
            if (membership.phase() == Membership.Phase.STOPPED && membership.members().isEmpty()) {
                end(RunOutcome.Kind.INTERRUPTED, "interrupted before the first step");
            }
        }
    }

    private void checkDeadlines(long nowNs) {
        membership.tick(nowNs);
        for (Map.Entry<Integer, Long> waiting : helloDeadlinesNs.entrySet()) {
            if (nowNs > waiting.getValue()) {
                fail(
                        FailureKind.BUG,
                        "worker %d did not join within %d s of its start: see its log"
                                .formatted(
                                        waiting.getKey(),
                                        options.startTimeoutNs() / 1_000_000_000));
                return;
            }
        }
        if (nowNs > closeDeadlineNs) {
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

    /**
     * Says goodbye and waits until the workers have hung up; who does not is killed by the
     * launcher's close.
     */
    private void leave(RunOutcome end) throws InterruptedException {
        roster.connections().forEach(c -> c.send(new Message.Close(false, end.why())));
        long deadlineNs = clock.nowNs() + LEAVE_TIMEOUT_NS;
        while (!roster.isEmpty() && clock.nowNs() < deadlineNs) {
            Event event = events.poll(deadlineNs - clock.nowNs(), TimeUnit.NANOSECONDS);
            if (event instanceof Event.HungUp hungUp) {
                roster.hungUp(hungUp.by());
            } else if (event instanceof Event.Interrupted) {
                return;
            } else if (event instanceof Event.Said said
                    && said.message() instanceof Message.Noted noted) {
                WorkerId worker = roster.worker(said.by());
                if (worker != null) {
                    watcher.noted(worker, noted.kind(), noted.value());
                }
            }
        }
    }
}
