package dev.medley.simulation;

import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.JobTerms;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.time.WakingTime;
import dev.medley.control.coordinator.Chair;
import dev.medley.control.coordinator.CoordinatorOptions;
import dev.medley.control.event.Effect;
import dev.medley.control.event.Event;
import dev.medley.control.launcher.Launcher;
import dev.medley.control.launcher.Launching;
import dev.medley.control.watch.RunOutcome;
import dev.medley.net.control.Message;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.plan.source.PlanSource;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A run on virtual time with the product's own coordinator ({@link Chair}), its policies, and
 * workers around the product's own seat. All that happens to the coordinator is written down, so
 * that it can be repeated.
 */
final class VirtualRun {
    static final long LAST_STEP = 120;
    static final long BEAT_NS = 50_000_000;
    static final int BATCH = 24;
    private static final long PEER_TIMEOUT_NS = 400_000_000;
    private static final long GAP_NS = 100_000_000;
    private static final long MILLI = 1_000_000;
    private static final int MOST_EVENTS = 400_000;
    private static final InetSocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 4000);

    private final VirtualTime time = new VirtualTime();
    private final WakingTime waking = new WakingTime(0, GAP_NS);
    private final RandomGenerator random;
    private final Network network;
    private final Checks checks = new Checks(this, BATCH);
    private final Supplier<Chair> makesChair;
    private final Chair chair;
    private final List<Heard> log = new ArrayList<>();
    private final Map<Integer, VirtualWorker> workers = new TreeMap<>();
    private final Map<String, VirtualMachine> machines = new TreeMap<>();
    private final Map<Integer, VirtualGroup> groups = new TreeMap<>();
    private final Deque<Event> inbox = new ArrayDeque<>();
    private final Faults faults;
    private final boolean isOffered;
    private long stoppedUntilNs;
    private Progress saved = new Progress(0, false);
    private long savedState;
    private long savedLineage;
    private long keptStepHeard;
    private int machineNumber;

    /** What the coordinator heard, when, and what it wanted done. */
    record Heard(Event event, long awakeNs, long wallMillis, List<Effect> effects) {}

    /** A run of a world in which much goes wrong. */
    VirtualRun(long seed, int workerCount, boolean isOffered, Supplier<PlanSource> plans) {
        this.random = Seeds.generator(seed);
        this.isOffered = isOffered;
        this.network = new Network(time, random, this::deliver);
        this.makesChair = () -> chair(workerCount, isOffered, plans.get());
        this.chair = makesChair.get();
        this.faults = new Faults(this, seed);
        tick();
        feed(new Event.Opened(ADDRESS));
        for (int i = 0; isOffered && i < workerCount; i++) {
            time.after(delay(50), this::offer);
        }
        faults.begin();
    }

    private static Chair chair(int workerCount, boolean isOffered, PlanSource plans) {
        ClusterSpec cluster =
                new ClusterSpec(
                        workerCount,
                        1,
                        List.of(),
                        List.of(),
                        BEAT_NS,
                        PEER_TIMEOUT_NS,
                        PEER_TIMEOUT_NS,
                        1_000_000,
                        isOffered ? JoinSpec.at("127.0.0.1:0") : null);
        long hourNs = TimeUnit.HOURS.toNanos(1);
        CoordinatorOptions options =
                new CoordinatorOptions(
                        cluster,
                        "run simulated",
                        "gradient",
                        VirtualWorker.JOB,
                        VirtualWorker.VERSION,
                        new CoordinatorOptions.Patience(hourNs, hourNs, hourNs, hourNs),
                        JoinSpec.Begin.ALL);
        Launching launching =
                isOffered
                        ? new Launching.OnAgents(
                                new Launching.Terms(
                                        VirtualWorker.VERSION,
                                        new JobTerms("simulated", "", Map.of()),
                                        BEAT_NS,
                                        PEER_TIMEOUT_NS),
                                launch -> Map.of())
                        : new Launching.ByLauncher(new NoLauncher());
        return new Chair(options, () -> Json.tree(Map.of()), launching, plans);
    }

    /** Effects are done by the run itself. */
    private static final class NoLauncher implements Launcher {
        @Override
        public void launch(int launch, InetSocketAddress to, String token, ExitListener listener) {
            throw new UnsupportedOperationException("the run does effects itself");
        }

        @Override
        public void kill(int launch) {
            throw new UnsupportedOperationException("the run does effects itself");
        }

        @Override
        public void close() {}
    }

    /** Runs to the end; how it ended. */
    RunOutcome runToEnd() {
        try {
            return run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(e.getMessage() + "; so far:\n" + tail(), e);
        }
    }

    private RunOutcome run() {
        for (long events = 0; chair.outcome() == null; events++) {
            if (!time.step()) {
                throw new AssertionError("nothing left to happen: the run hangs");
            }
            if (events > MOST_EVENTS) {
                throw new AssertionError("no end in sight");
            }
            checks.states(workers.values());
        }
        RunOutcome outcome = chair.outcome();
        checkEnd(outcome);
        return outcome;
    }

    private void checkEnd(RunOutcome outcome) {
        if (outcome.why().contains("groups in a row ended without a step")) {
            return; // As it says it does, where so much goes wrong one after another.
        }
        boolean isInterrupted = outcome.kind() == RunOutcome.Kind.INTERRUPTED;
        if (outcome.kind() != RunOutcome.Kind.COMPLETED
                && !(isInterrupted && faults.hasInterrupted())) {
            throw new AssertionError(outcome);
        }
    }

    private String tail() {
        List<String> story = checks.story();
        return String.join("\n", story.subList(Math.max(0, story.size() - 40), story.size()));
    }

    /** The coordinator hears the same again: it has to want the same. */
    void checkThatItRepeats() {
        Chair again = makesChair.get();
        for (Heard heard : log) {
            List<Effect> effects = again.on(heard.event(), heard.awakeNs(), heard.wallMillis());
            if (!effects.equals(heard.effects())) {
                throw new AssertionError(
                        "after %s once %s, once %s"
                                .formatted(heard.event(), heard.effects(), effects));
            }
        }
    }

    // ---- The coordinator

    /** What happens waits while the coordinator does not run. */
    private void deliver(Event event) {
        if (time.nowNs() < stoppedUntilNs) {
            inbox.add(event);
        } else {
            feed(event);
        }
    }

    /** The coordinator does not run for so long. */
    void stopCoordinator(long ns) {
        if (time.nowNs() >= stoppedUntilNs) {
            stoppedUntilNs = time.nowNs() + ns;
            time.at(
                    stoppedUntilNs,
                    () -> {
                        while (!inbox.isEmpty()) {
                            feed(inbox.remove());
                        }
                    });
        }
    }

    private void tick() {
        if (time.nowNs() >= stoppedUntilNs) {
            waking.tick(time.nowNs());
            feed(new Event.TimePassed());
        }
        time.after(BEAT_NS / 5, this::tick);
    }

    private void feed(Event event) {
        Deque<Event> events = new ArrayDeque<>(List.of(event));
        while (!events.isEmpty() && chair.outcome() == null) {
            Event next = events.remove();
            long awakeNs = waking.at(time.nowNs());
            noteCheckpoint(next);
            List<Effect> effects = chair.on(next, awakeNs, wallMillis());
            log.add(new Heard(next, awakeNs, wallMillis(), effects));
            effects.forEach(effect -> perform(effect, events));
        }
    }

    private void noteCheckpoint(Event event) {
        if (event instanceof Event.Said said
                && said.message() instanceof Message.Noted noted
                && noted.value().path("kind").asString("").equals("CHECKPOINT")) {
            keptStepHeard = Math.max(keptStepHeard, noted.value().path("step").asLong(0));
        }
        boolean isOfProgress =
                event instanceof Event.Said by
                        && by.by().number() < Faults.STRANGERS
                        && (by.message() instanceof Message.Sealed
                                || by.message() instanceof Message.Ready
                                || by.message() instanceof Message.Noted);
        if (isOfProgress || event instanceof Event.HungUp) {
            checks.tell(event.toString());
        }
    }

    private void perform(Effect effect, Deque<Event> happened) {
        if (effect instanceof Effect.Send send) {
            network.send(send.to(), send.message());
        } else if (effect instanceof Effect.Beat beat) {
            Message sign = new Message.Beat(beat.told());
            beat.workers().forEach(caller -> network.send(caller, sign));
            beat.agents().forEach(caller -> network.send(caller, sign));
        } else if (effect instanceof Effect.HangUp hangUp) {
            network.hangUp(hangUp.who(), hangUp.how() != Effect.Manner.AT_ONCE);
        } else if (effect instanceof Effect.Launch launch) {
            launch(launch.launch(), happened);
        } else if (effect instanceof Effect.LaunchAt at) {
            launchAt(at, happened);
        } else if (effect instanceof Effect.Kill kill) {
            VirtualWorker worker = workers.get(kill.launch());
            if (worker != null) {
                worker.die(137, "");
            }
        } else if (effect instanceof Effect.Tell tell) {
            tell(tell);
        }
    }

    private void launchAt(Effect.LaunchAt at, Deque<Event> happened) {
        if (random.nextInt(15) == 0) {
            happened.add(new Event.NotLaunched(at.launch(), "a file is missing"));
        } else {
            network.send(at.agent(), new Message.Launch(at.launch(), "token", Json.tree("work")));
            happened.add(new Event.Launched(at.launch()));
        }
    }

    private void launch(int launch, Deque<Event> happened) {
        if (random.nextInt(12) == 0) {
            happened.add(new Event.NotLaunched(launch, "cannot fork"));
        } else {
            happened.add(new Event.Launched(launch));
            time.after(
                    delay(30),
                    () -> {
                        if (random.nextInt(12) == 0) {
                            deliver(new Event.Exited(new Launcher.Exit(launch, 1, "", "")));
                        } else {
                            start(launch, "host");
                        }
                    });
        }
    }

    private void tell(Effect.Tell tell) {
        try {
            Object unused = tell.method().invoke(checks, tell.arguments().toArray());
        } catch (InvocationTargetException e) {
            if (e.getTargetException() instanceof Error error) {
                throw error;
            }
            throw new AssertionError(e.getTargetException());
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    // ---- Workers and machines

    VirtualWorker start(int launch, String host) {
        VirtualWorker worker = new VirtualWorker(this, launch, host);
        workers.put(launch, worker);
        return worker;
    }

    void offer() {
        String name = "n" + ++machineNumber;
        machines.put(name, new VirtualMachine(this, name));
    }

    void exited(VirtualWorker worker, int code, String outOfMemory) {
        if (isOffered) {
            machines.values().forEach(machine -> machine.exited(worker, code, outOfMemory));
        } else {
            deliver(new Event.Exited(new Launcher.Exit(worker.launch, code, "", outOfMemory)));
        }
    }

    void entered(VirtualWorker worker, View view) {
        groups.computeIfAbsent(view.group().epoch(), epoch -> new VirtualGroup(this, view))
                .entered(worker);
    }

    /** Those behind have copied: all members begin with the same. */
    void checkBegin(View view, List<VirtualWorker> members) {
        for (VirtualWorker member : members) {
            boolean isInIt = member.seat.isOpen(view.group().epoch());
            if (isInIt && !member.seat.progress().equals(view.committed())) {
                throw new AssertionError(
                        "%s begins epoch %d with %s, and all with %s"
                                .formatted(
                                        member.id,
                                        view.group().epoch(),
                                        member.seat.progress(),
                                        view.committed()));
            }
        }
    }

    void save(Progress progress, long state, long lineage) {
        if (progress.step() > saved.step()) {
            saved = progress;
            savedState = state;
            savedLineage = lineage;
        }
    }

    // ---- What others ask

    VirtualTime time() {
        return time;
    }

    RandomGenerator random() {
        return random;
    }

    Network network() {
        return network;
    }

    Faults faults() {
        return faults;
    }

    boolean isOffered() {
        return isOffered;
    }

    long wallMillis() {
        return time.nowNs() / MILLI;
    }

    long delay(int maxMillis) {
        return MILLI / 10 + random.nextLong(maxMillis * MILLI);
    }

    Progress savedProgress() {
        return saved;
    }

    long savedState() {
        return savedState;
    }

    long savedLineage() {
        return savedLineage;
    }

    /** The step of the newest checkpoint that the coordinator has heard of. */
    long keptStepHeard() {
        return keptStepHeard;
    }

    VirtualWorker worker(WorkerId id) {
        return workers.get(id.value());
    }

    List<VirtualWorker> living() {
        return workers.values().stream().filter(VirtualWorker::isAlive).toList();
    }

    Collection<VirtualMachine> machines() {
        return machines.values();
    }

    boolean reaches(WorkerId one, WorkerId other) {
        return faults.reaches(one, other);
    }

    boolean allReach(Group group) {
        List<Member> members = group.members();
        return members.stream()
                .allMatch(
                        one ->
                                members.stream()
                                        .allMatch(other -> reaches(one.worker(), other.worker())));
    }

    double nsOfASample(VirtualWorker worker) {
        return worker.nsOfASample * faults.slowness(worker.id);
    }

    long exchangeNs(Group group) {
        double slowest =
                group.members().stream()
                        .mapToDouble(member -> faults.linkSlowness(member.worker()))
                        .max()
                        .orElse(1);
        return (long) (2 * MILLI * slowest);
    }

    boolean mayBeSilent(WorkerId worker) {
        return faults.mayBeSilent(worker);
    }

    void interrupt() {
        deliver(new Event.Interrupted());
    }

    /** Somebody who knows the secret of the run says something. */
    void deliverOfStranger(Event.Said said) {
        deliver(said);
    }
}
