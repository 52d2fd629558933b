package dev.medley.serving.follow;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.serving.host.ModelHost;
import dev.medley.serving.registry.CanaryGoals;
import dev.medley.serving.registry.RegistryEvent;
import dev.medley.serving.registry.TrafficDeeds;
import dev.medley.serving.registry.TrafficDeeds.Deed;
import dev.medley.serving.registry.TrafficPlan;
import dev.medley.serving.registry.TrafficPlan.Form;
import dev.medley.serving.traffic.CanaryTrial;
import dev.medley.serving.traffic.Evidence;
import dev.medley.serving.traffic.RolloutPolicy;
import dev.medley.serving.traffic.RolloutPolicy.Decision;
import dev.medley.serving.traffic.RolloutPolicy.Step;
import dev.medley.serving.traffic.TrafficStatus;
import dev.medley.serving.traffic.VersionCount;
import dev.medley.serving.traffic.VersionTraffic;
import dev.medley.serving.traffic.VersionWindow;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Deals traffic of a host out by plans, and looks at what comes of it four times a second. A canary
 * that is worse loses its share at once, and then the deed is recorded, so that other servers
 * follow. One that is good is promoted where its plan says so.
 *
 * <p>Thread: any tells it of plans; it looks on a thread of its own, which alone waits for the
 * registry, and holds no lock while it does: a place that hangs stops nobody else.
 */
public final class CanaryJudge implements AutoCloseable {
    private static final long WINDOW_NS = 250_000_000L;
    private static final int WINDOWS_A_TELLING = 8;

    /** Longer than a registry takes; one that hangs is left alone. */
    private static final long END_MILLIS = 10_000;

    private final ModelHost host;
    private final TrafficDeeds deeds;
    private final Clock clock;
    private final Consumer<String> say;
    private final String server = ManagementFactory.getRuntimeMXBean().getName();
    private final Thread thread;
    private volatile boolean isClosed;

    /** Guards what follows. */
    private final Object lock = new Object();

    private final Map<String, Running> running = new TreeMap<>();

    /** Trials that this server has decided, should the registry not say so yet. */
    private final Set<Trial> over = new HashSet<>();

    private final Set<String> told = new HashSet<>();

    /** Decisions that the registry does not have yet. */
    private final List<Decided> pending = new ArrayList<>();

    /** A plan that is begun with other goals is another trial. */
    private record Trial(long salt, CanaryGoals goals) {
        static Trial of(TrafficPlan plan) {
            return new Trial(plan.salt(), plan.goals());
        }
    }

    private record Decided(Deed deed, TrafficPlan plan, RegistryEvent.Kind kind) {}

    /** A plan that this server follows. */
    private static final class Running {
        private final String alias;
        private VersionTraffic traffic;
        private final CanaryTrial trial;
        private int seat;
        private int windows;

        private Running(String alias, VersionTraffic traffic) {
            this.alias = alias;
            this.traffic = traffic;
            this.trial = new CanaryTrial(traffic.plan().goals());
        }
    }

    /**
     * Begins to look.
     *
     * @param say says what it decides
     */
    public CanaryJudge(ModelHost host, TrafficDeeds deeds, Clock clock, Consumer<String> say) {
        this.host = host;
        this.deeds = deeds;
        this.clock = clock;
        this.say = say;
        thread = new Thread(this::run, "medley-canaries");
        thread.setDaemon(true);
        thread.start();
    }

    /** Whether this server has decided a trial already. */
    public boolean isOver(TrafficPlan plan) {
        synchronized (lock) {
            return over.contains(Trial.of(plan));
        }
    }

    /**
     * A plan is in force for a name, and all its versions are loaded.
     *
     * @return whether it was not followed before
     */
    public boolean follow(String name, String alias, TrafficPlan plan) {
        synchronized (lock) {
            if (over.contains(Trial.of(plan))) {
                return false;
            }
            Running now = running.get(name);
            if (now == null || !plan.continues(now.traffic.plan())) {
                now = new Running(alias, VersionTraffic.of(plan));
                running.put(name, now);
            } else if (!now.traffic.plan().equals(plan)) {
                now.traffic = now.traffic.with(plan);
            } else {
                if (host.entry(name).traffic() != now.traffic) {
                    host.direct(name, now.traffic); // The model was loaded anew meanwhile.
                }
                return false;
            }
            know(name, now, "it has begun");
            host.direct(name, now.traffic);
            return true;
        }
    }

    /** No plan is in force for a name, or not all its versions could be loaded. */
    public void leave(String name) {
        synchronized (lock) {
            if (running.remove(name) != null || host.entry(name).traffic() != null) {
                host.direct(name, null);
            }
        }
    }

    private void run() {
        long nextNs = clock.nowNs() + WINDOW_NS;
        while (!isClosed) {
            long leftNs = nextNs - clock.nowNs();
            if (leftNs > 0) {
                LockSupport.parkNanos(leftNs);
                continue;
            }
            nextNs = clock.nowNs() + WINDOW_NS;
            look();
        }
    }

    /** Closes a window of each plan, and decides; then tells the registry. */
    void look() {
        List<Told> all = new ArrayList<>();
        synchronized (lock) {
            for (Map.Entry<String, Running> each : List.copyOf(running.entrySet())) {
                tried(each.getKey(), () -> look(each.getKey(), each.getValue(), all));
            }
            for (Decided each : pending) {
                all.add(new Told(each.deed().name(), () -> record(each)));
            }
        }
        all.forEach(each -> tried(each.name(), each.work())); // Without the lock: it may hang.
    }

    /** Something that the registry is told. */
    private record Told(String name, Runnable work) {}

    /** The next look may do better, and the others go on. */
    private void tried(String name, Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | OutOfMemoryError e) {
            once(name + ": " + e.getMessage());
        }
    }

    private void look(String name, Running now, List<Told> all) {
        TrafficPlan plan = now.traffic.plan();
        now.windows++;
        Decision decision = new Decision(Step.GO_ON, plan.words());
        if (plan.form() == Form.CANARY) {
            now.trial.add(window(now, plan.champion()), window(now, plan.challenger()));
            Evidence evidence = now.trial.evidence();
            // Without a seat nothing is decided.
            int seat = now.seat == 0 ? Integer.MAX_VALUE : now.seat;
            decision = RolloutPolicy.decide(plan, evidence, seat);
        }
        know(name, now, decision.why());
        if (decision.step() != Step.GO_ON) {
            decide(name, now, decision, all);
        } else if (now.seat == 0 || now.windows % WINDOWS_A_TELLING == 1) {
            all.add(told(name, now));
        }
    }

    private VersionWindow window(Running now, int version) {
        VersionCount count = now.traffic.count(version);
        return count == null
                ? new VersionWindow(0, 0, new long[0], new double[0])
                : count.take(clock.nowNs());
    }

    private void decide(String name, Running now, Decision decision, List<Told> all) {
        TrafficPlan plan = now.traffic.plan();
        boolean isPromoted = decision.step() == Step.PROMOTE;
        over.add(Trial.of(plan));
        running.remove(name);
        if (!isPromoted) {
            host.direct(name, null); // Before the registry knows: it may be slow.
            say.accept(
                    "%s version %d is rolled back: %s"
                            .formatted(name, plan.challenger(), decision.why()));
        }
        all.add(told(name, now));
        Deed deed = new Deed(name, now.alias, "medley serve", decision.why());
        pending.add(
                new Decided(
                        deed,
                        plan,
                        isPromoted ? RegistryEvent.Kind.PROMOTED : RegistryEvent.Kind.SETTLED));
    }

    /** Until it is recorded it is tried again at each look. */
    private void record(Decided decided) {
        Optional<RegistryEvent> done = deeds.decide(decided.deed(), decided.plan(), decided.kind());
        synchronized (lock) {
            pending.remove(decided);
        }
        if (decided.kind() == RegistryEvent.Kind.PROMOTED && done.isPresent()) {
            say.accept(
                    "%s version %d is promoted: %s"
                            .formatted(
                                    decided.deed().name(),
                                    decided.plan().challenger(),
                                    decided.deed().why()));
        }
    }

    /** What was seen, for the registry. */
    private Told told(String name, Running now) {
        TrafficPlan plan = now.traffic.plan();
        byte[] seen = Json.bytes(Objects.requireNonNull(now.traffic.status()));
        int seat = now.seat;
        return new Told(
                name,
                () -> {
                    if (seat == 0) {
                        int taken = deeds.seat(name, plan, seen);
                        synchronized (lock) {
                            now.seat = taken;
                        }
                    } else {
                        deeds.tell(name, plan, seat, seen);
                    }
                });
    }

    private void know(String name, Running now, String words) {
        now.traffic.know(status(name, now, words));
    }

    private TrafficStatus status(String name, Running now, String words) {
        TrafficPlan plan = now.traffic.plan();
        boolean isCanary = plan.form() == Form.CANARY;
        @Nullable Evidence evidence = isCanary ? now.trial.evidence() : null;
        return new TrafficStatus(
                name,
                server,
                clock.wallMillis(),
                "" + plan.champion(),
                plan,
                now.traffic.versions(),
                evidence,
                plan.form() == Form.SHADOW ? now.traffic.shadow().sum() : null,
                words);
    }

    private void once(String sentence) {
        if (told.add(sentence)) {
            say.accept(sentence);
        }
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
