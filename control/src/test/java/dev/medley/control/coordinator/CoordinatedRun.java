package dev.medley.control.coordinator;

import dev.medley.base.Fault;
import dev.medley.base.Json;
import dev.medley.base.WorkerId;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.time.Clock;
import dev.medley.control.coordinator.CoordinatorOptions.Patience;
import dev.medley.control.launcher.Launching;
import dev.medley.control.watch.RunOutcome;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.ControlServer;
import dev.medley.net.control.Message;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.door.JoinSecret;
import dev.medley.net.membership.View;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.SharePlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A run of a coordinator on its own thread, with workers that only talk over real sockets; and what
 * was seen of it.
 */
public final class CoordinatedRun {
    public static final String TOKEN = "secret";
    static final String NAME = "adult-20261121-101500";

    private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
    private final List<View> views = Collections.synchronizedList(new ArrayList<>());
    private ClusterSpec cluster = ClusterSpec.ofWorkers(2).with(2, 1);
    private Patience patience = patience(TimeUnit.SECONDS.toNanos(30));
    private long breaksAfter = Long.MAX_VALUE;
    private final AtomicLong aheadNs = new AtomicLong();
    private final Clock clock = new Hasty();
    private FakeWorkers workers = new FakeWorkers(Acting.idle());
    private PlanSource plans = new SharePlan(12, 1, List.of());

    /** Set before the workers start: their threads interrupt it. */
    private volatile Coordinator coordinator;

    record Told(String what) {}

    /** In place of two workers that may be started again three times. */
    public CoordinatedRun on(ClusterSpec spec) {
        cluster = spec;
        return this;
    }

    /** The same with the usual patience. */
    public CoordinatedRun on(int count, int restarts) {
        ClusterSpec usual = ClusterSpec.ofWorkers(count);
        return on(
                new ClusterSpec(
                        count,
                        1,
                        List.of(),
                        List.of(),
                        usual.heartbeatNs(),
                        usual.peerTimeoutNs(),
                        usual.stepTimeoutNs(),
                        restarts,
                        null));
    }

    /** In place of equal shares of 12. */
    public CoordinatedRun planned(PlanSource source) {
        plans = source;
        return this;
    }

    /** Whoever watches throws when it is told of this step, and of each after it. */
    public CoordinatedRun breakingAfter(long step) {
        breaksAfter = step;
        return this;
    }

    /** In place of 30 s for everything. */
    CoordinatedRun startTimeout(long time, TimeUnit unit) {
        return patient(patience(unit.toNanos(time)));
    }

    /** In place of 30 s for everything. */
    public CoordinatedRun patient(Patience other) {
        patience = other;
        return this;
    }

    private static Patience patience(long ns) {
        return new Patience(ns, ns, ns, ns);
    }

    /** The whole run, with workers that act like this. */
    public RunOutcome play(FakeWorkers.Script script) throws Exception {
        workers = new FakeWorkers(script);
        return coordinate(
                new Launching.ByLauncher(workers),
                inbox -> ControlServer.onLoopback(JoinSecret.ofRun(TOKEN), inbox));
    }

    /** The whole run, with workers that somebody else starts. */
    public RunOutcome coordinate(Launching launching, Coordinator.Door door) throws Exception {
        CoordinatorOptions options =
                new CoordinatorOptions(
                        cluster,
                        "run " + NAME,
                        "nothing",
                        FakeWorkers.JOB,
                        FakeWorkers.VERSION,
                        patience,
                        JoinSpec.Begin.ALL);
        JsonNode assignment = Json.tree(new Told("nothing"));
        coordinator =
                new Coordinator(
                        options,
                        () -> assignment,
                        TOKEN,
                        new Coordinator.World(launching, door, plans, new Watcher(), clock));
        return coordinator.run();
    }

    /** The coordinator's clock goes forward by so much at once. */
    public void skip(long time, TimeUnit unit) {
        aheadNs.addAndGet(unit.toNanos(time));
    }

    public void interrupt() {
        coordinator.interrupt();
    }

    public FakeWorkers workers() {
        return workers;
    }

    /** What happened, in words. */
    public List<String> seen() {
        return seen;
    }

    /** The groups that were formed. */
    public List<View> views() {
        return views;
    }

    /** The steps that were taken, in the order in which they were told. */
    public List<Long> steps() {
        return seen.stream()
                .filter(s -> s.startsWith("stepped"))
                .map(s -> Long.valueOf(s.split(" ", -1)[1]))
                .toList();
    }

    /** The identity that a start was given. */
    int idOf(int launch) {
        return workers.worker(launch).id().value();
    }

    /** The time, and what was skipped of it. */
    private final class Hasty implements Clock {
        @Override
        public long nowNs() {
            return Clock.system().nowNs() + aheadNs.get();
        }

        @Override
        public long wallMillis() {
            return Clock.system().wallMillis();
        }
    }

    /** Writes down what happens. */
    private final class Watcher implements RunWatcher {
        @Override
        public void launched(int launch, LaunchCause why) {
            seen.add("launched " + launch);
            if (why == LaunchCause.RESTART) {
                seen.add("restarted as " + launch);
            }
        }

        @Override
        public void joined(WorkerId worker, int launch, Message.@Nullable Offer on) {
            seen.add("joined " + worker);
        }

        @Override
        public void ready(WorkerId worker, Message.Ready ready, Message.@Nullable Offer on) {
            seen.add("ready " + worker);
        }

        @Override
        public void lost(WorkerId worker, Fault fault) {
            seen.add("lost " + worker);
        }

        @Override
        public void warned(String message) {
            seen.add("warned " + message);
        }

        @Override
        public void remarked(String message) {
            seen.add("remarked " + message);
        }

        @Override
        public void formed(View view) {
            views.add(view);
            seen.add("formed " + view.group().epoch());
        }

        @Override
        public void stepped(int epoch, Map<WorkerId, WorkerStep> steps) {
            long step = steps.values().iterator().next().step();
            seen.add("stepped " + step + " by " + steps.size());
            if (step >= breaksAfter) {
                throw new IllegalStateException("a callback");
            }
        }

        @Override
        public void hashed(long step, String parameterHash) {
            seen.add("hashed " + step + " " + parameterHash);
        }

        @Override
        public void ended(RunOutcome outcome) {
            seen.add("ended " + outcome.kind());
        }
    }
}
