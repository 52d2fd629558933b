package dev.medley.simulation;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.base.time.WakingTime;
import dev.medley.net.membership.Membership;
import dev.medley.net.membership.Membership.Action;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.Seat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A run on virtual time with the product's own {@link Membership} and {@link Seat}: workers step
 * together, die, fall silent and come back, messages take time. A state is a hash of all steps that
 * it has applied, so that two states are equal exactly if the same steps were applied to them in
 * the same groups.
 *
 * <p>Long because all that may befall a run is in one place.
 */
final class SimulatedRun {
    private static final long MILLI = 1_000_000;
    private static final long PEER_TIMEOUT_NS = 300 * MILLI;
    private static final long BEAT_NS = 50 * MILLI;
    private static final long GAP_NS = 100 * MILLI;
    private static final long LONGEST_SLEEP_MILLIS = 100_000;

    private final VirtualTime time = new VirtualTime();
    private final WakingTime waking = new WakingTime(time.nowNs(), GAP_NS);
    private final RandomGenerator random;
    private final Membership membership;
    private final Map<WorkerId, SimulatedWorker> workers = new TreeMap<>();
    private int launches;
    private final long lastStep;

    private int faultsLeft;
    private Progress saved = new Progress(0, false);
    private long savedState;
    private long committedStep;
    private List<WorkerId> present = List.of();
    private @Nullable WorkerId cut;
    private int finishedEpoch;
    private final Map<Integer, List<WorkerId>> finishedBy = new TreeMap<>();

    /** One worker process. */
    private static final class SimulatedWorker {
        final WorkerId id;
        final Seat seat;
        boolean alive = true;
        boolean silent;
        int epoch;
        long state;
        int pausedEpoch;

        SimulatedWorker(WorkerId id, Progress progress, long state) {
            this.id = id;
            this.seat = new Seat(progress);
            this.state = state;
        }
    }

    SimulatedRun(long seed, int workerCount, long lastStep, int faults) {
        this.random = Seeds.generator(seed);
        this.membership = new Membership(workerCount, PEER_TIMEOUT_NS, Membership.GroupSize.ALL);
        this.lastStep = lastStep;
        this.faultsLeft = faults;
        for (int i = 0; i < workerCount; i++) {
            start();
        }
        tick();
        scheduleFault();
        scheduleReplan();
        scheduleLeave();
        scheduleSitting();
        scheduleSleep();
        scheduleCut();
    }

    /** Runs to the end, checking the invariants after every event; the number of events. */
    long runToEnd() {
        long events = 0;
        while (finishedEpoch == 0) {
            if (!time.step()) {
                throw new AssertionError(
                        "nothing left to happen at step " + committedStep + ": the run hangs");
            }
            if (++events > 2_000_000) {
                throw new AssertionError(
                        "no end in sight at step "
                                + committedStep
                                + ", phase "
                                + membership.phase());
            }
            act();
            checkInvariants();
        }
        return events;
    }

    int epochs() {
        return membership.epoch();
    }

    private void start() {
        WorkerId id = new WorkerId(++launches);
        membership.joined(id, awakeNs());
        SimulatedWorker worker = new SimulatedWorker(id, saved, savedState);
        workers.put(id, worker);
        beat(worker);
        time.after(
                delay(20),
                () -> {
                    if (worker.alive) {
                        Member member =
                                new Member(id, "host", Member.NO_SITE, "127.0.0.1", 1, "kernel");
                        membership.ready(id, member, worker.seat.progress(), awakeNs());
                    }
                });
    }

    private void beat(SimulatedWorker worker) {
        time.after(
                BEAT_NS,
                () -> {
                    if (worker.alive && !worker.silent) {
                        membership.heard(worker.id, awakeNs());
                    }
                    if (worker.alive) {
                        beat(worker);
                    }
                });
    }

    private long awakeNs() {
        return waking.at(time.nowNs());
    }

    private void tick() {
        waking.tick(time.nowNs());
        membership.tick(awakeNs());
        time.after(BEAT_NS, this::tick);
    }

    private void scheduleFault() {
        if (faultsLeft-- > 0) {
            time.after(delay(200), this::fault);
        }
    }

    /** The planner wants other shares now and then, also in the middle of a view change. */
    private void scheduleReplan() {
        time.after(
                delay(400),
                () -> {
                    membership.replan("shares change");
                    scheduleReplan();
                });
    }

    /** A machine is wanted back now and then, and another comes in its place. */
    private void scheduleLeave() {
        time.after(
                delay(600),
                () -> {
                    List<SimulatedWorker> living =
                            workers.values().stream().filter(w -> w.alive).toList();
                    if (!living.isEmpty()) {
                        WorkerId leaving = living.get(random.nextInt(living.size())).id;
                        membership.leave(leaving, leaving + " is wanted back");
                    }
                    scheduleLeave();
                });
    }

    /** A straggler sits out now and then, and comes back, or not. */
    private void scheduleSitting() {
        time.after(
                delay(500),
                () -> {
                    List<WorkerId> living =
                            workers.values().stream().filter(w -> w.alive).map(w -> w.id).toList();
                    if (!living.isEmpty()) {
                        WorkerId late = living.get(random.nextInt(living.size()));
                        membership.sitOut(late, late + " is late");
                        WorkerId other = living.get(random.nextInt(living.size()));
                        time.after(
                                delay(300), () -> membership.comeBack(other, other + " is back"));
                    }
                    scheduleSitting();
                });
    }

    /** The machine is suspended now and then, for much longer than anybody may be silent. */
    private void scheduleSleep() {
        time.after(
                delay(900),
                () -> {
                    time.sleep(random.nextLong(LONGEST_SLEEP_MILLIS * MILLI));
                    scheduleSleep();
                });
    }

    /**
     * A worker reaches the coordinator and nobody else for a while: no step of a group with it and
     * others comes to an end, until it is cut off; then it waits, and comes back.
     */
    private void scheduleCut() {
        time.after(
                delay(1500),
                () -> {
                    List<WorkerId> living =
                            workers.values().stream().filter(w -> w.alive).map(w -> w.id).toList();
                    if (living.size() > 1 && cut == null) {
                        WorkerId alone = living.get(random.nextInt(living.size()));
                        cut = alone;
                        time.after(
                                delay(300),
                                () -> membership.cutOff(List.of(alone), alone + " is cut"));
                        time.after(
                                400 * MILLI + delay(600),
                                () -> {
                                    cut = null;
                                    membership.cutOff(List.of(), alone + " is back");
                                });
                    }
                    scheduleCut();
                });
    }

    /** Somebody dies or falls silent; now and then the last one too. */
    private void fault() {
        List<SimulatedWorker> living = workers.values().stream().filter(w -> w.alive).toList();
        if (!living.isEmpty()) {
            SimulatedWorker victim = living.get(random.nextInt(living.size()));
            if (random.nextBoolean()) {
                victim.alive = false;
                time.after(delay(5), () -> membership.lost(victim.id, fault("exited", victim.id)));
            } else {
                victim.silent = true;
            }
        }
        scheduleFault();
    }

    private void act() {
        for (List<Action> actions = membership.takeActions();
                !actions.isEmpty();
                actions = membership.takeActions()) {
            actions.forEach(this::act);
        }
    }

    private void act(Action action) {
        if (action instanceof Action.TellSeal seal) {
            for (WorkerId id : seal.to()) {
                deliver(id, worker -> sealAndReport(worker, seal.epoch()));
            }
        } else if (action instanceof Action.TellPause pause) {
            for (WorkerId id : pause.to()) {
                deliver(
                        id,
                        worker -> worker.pausedEpoch = Math.max(worker.pausedEpoch, pause.epoch()));
            }
        } else if (action instanceof Action.Lost lost) {
            SimulatedWorker worker = workers.get(lost.worker());
            if (lost.fault().message().contains("silent") && worker.alive && !worker.silent) {
                throw new AssertionError(lost.fault().message() + " although all slept");
            }
            worker.alive = false;
            start();
        } else if (action instanceof Action.Released released) {
            SimulatedWorker worker = workers.get(released.worker());
            worker.alive = false;
            if (released.saveFirst()) {
                write(worker);
            }
            start();
        } else if (action instanceof Action.Anew anew) {
            workers.get(anew.worker()).alive = false;
            start();
        } else if (action instanceof Action.TellForm form) {
            form(form);
        }
    }

    private void form(Action.TellForm form) {
        Group group = form.group();
        if (form.committed().step() < committedStep && hasSurvivor(group)) {
            throw new AssertionError(
                    "epoch %d goes back to step %d from %d although a member survived"
                            .formatted(group.epoch(), form.committed().step(), committedStep));
        }
        if (form.committed().step() < saved.step()) {
            throw new AssertionError(
                    "epoch %d goes back to step %d although step %d was kept"
                            .formatted(group.epoch(), form.committed().step(), saved.step()));
        }
        committedStep = form.committed().step();
        present = group.members().stream().map(Member::worker).toList();
        WorkerId source = group.members().get(form.source()).worker();
        for (Member member : group.members()) {
            deliver(
                    member.worker(),
                    worker -> {
                        if (worker.seat.enter(group.epoch())) {
                            worker.epoch = group.epoch();
                        }
                    });
        }
        boolean copies = !form.behind().isEmpty();
        time.after(delay(copies ? 30 : 10), () -> begin(group, form, workers.get(source)));
    }

    /** The last one takes its time to write what it holds, or dies over it. */
    private void write(SimulatedWorker last) {
        boolean dies = random.nextInt(4) == 0;
        time.after(
                delay(60),
                () -> {
                    if (!dies) {
                        savedState = last.state;
                        saved = last.seat.progress();
                    }
                    membership.parted(last.id, saved.step(), new WorkerId(launches));
                });
    }

    /** Whoever sat out holds no state that counts. */
    private boolean hasSurvivor(Group group) {
        return group.members().stream()
                .filter(m -> present.contains(m.worker()))
                .anyMatch(m -> workers.get(m.worker()).seat.progress().step() >= committedStep);
    }

    private void begin(Group group, Action.TellForm form, SimulatedWorker source) {
        if (!allIn(group)) {
            reportFault(group, "a member is missing");
            return;
        }
        for (int rank : form.behind()) {
            SimulatedWorker behind = workers.get(group.members().get(rank).worker());
            behind.seat.forget();
            if (random.nextInt(20) == 0) {
                reportFault(group, "the copy broke");
                return;
            }
            long copied = source.state;
            behind.seat.apply(group.epoch(), form.committed(), () -> behind.state = copied);
        }
        time.after(delay(10), () -> stepTogether(group));
    }

    /** A step of a group: everybody applies it, or a fault leaves some ahead of the others. */
    private void stepTogether(Group group) {
        List<SimulatedWorker> ranks =
                group.members().stream().map(m -> workers.get(m.worker())).toList();
        if (ranks.stream().anyMatch(w -> w.epoch != group.epoch())) {
            return;
        }
        long step = ranks.get(0).seat.progress().step() + 1;
        if (step > lastStep) {
            finish(group, ranks);
            return;
        }
        boolean torn = !allIn(group);
        boolean pause = ranks.stream().anyMatch(w -> w.pausedEpoch == group.epoch());
        List<SimulatedWorker> applied = new ArrayList<>();
        for (SimulatedWorker worker : ranks) {
            boolean reaches = worker.alive && (!torn || random.nextBoolean());
            if (reaches
                    && worker.seat.apply(
                            group.epoch(),
                            new Progress(step, false),
                            () -> worker.state = next(worker.state, step))) {
                applied.add(worker);
            }
        }
        if (applied.size() < ranks.size()) {
            reportFault(group, "step " + step + " was torn");
        } else if (pause) {
            ranks.forEach(w -> sealAndReport(w, group.epoch()));
        } else {
            time.after(delay(10), () -> stepTogether(group));
        }
    }

    private void finish(Group group, List<SimulatedWorker> ranks) {
        for (SimulatedWorker worker : ranks) {
            if (worker.alive && !worker.silent) {
                time.after(
                        delay(5),
                        () -> {
                            List<WorkerId> by =
                                    finishedBy.computeIfAbsent(
                                            group.epoch(), e -> new ArrayList<>());
                            by.add(worker.id);
                            if (group.epoch() == membership.epoch()
                                    && by.containsAll(membership.members())) {
                                finishedEpoch = group.epoch();
                            }
                        });
            }
        }
    }

    private boolean allIn(Group group) {
        List<WorkerId> ids = group.members().stream().map(Member::worker).toList();
        if (cut != null && ids.size() > 1 && ids.contains(cut)) {
            return false;
        }
        return group.members().stream()
                .map(m -> workers.get(m.worker()))
                .allMatch(w -> w.alive && !w.silent && w.epoch == group.epoch());
    }

    private void reportFault(Group group, String why) {
        for (Member member : group.members()) {
            SimulatedWorker worker = workers.get(member.worker());
            if (worker.alive && !worker.silent) {
                time.after(
                        delay(5),
                        () -> membership.faulted(worker.id, group.epoch(), fault(why, worker.id)));
            }
        }
    }

    private void sealAndReport(SimulatedWorker worker, int epoch) {
        Progress progress = worker.seat.seal(epoch);
        time.after(
                delay(5),
                () -> {
                    if (worker.alive && !worker.silent) {
                        membership.sealed(worker.id, epoch, progress);
                    }
                });
    }

    private interface Delivery {
        void to(SimulatedWorker worker);
    }

    private void deliver(WorkerId id, Delivery delivery) {
        time.after(
                delay(5),
                () -> {
                    SimulatedWorker worker = workers.get(id);
                    if (worker.alive && !worker.silent) {
                        delivery.to(worker);
                    }
                });
    }

    /**
     * Living members of one epoch with equal progress hold equal states: the invariant of
     * ARCHITECTURE, Faults.
     */
    private void checkInvariants() {
        Map<String, Long> states = new TreeMap<>();
        for (SimulatedWorker worker : workers.values()) {
            Progress progress = worker.seat.progress();
            if (!worker.alive
                    || worker.silent
                    || progress.step() < 0
                    || worker.epoch != membership.epoch()) {
                continue;
            }
            Long other = states.putIfAbsent(worker.epoch + "/" + progress, worker.state);
            if (other != null && other != worker.state) {
                throw new AssertionError(
                        worker.id + " differs at " + progress + " in epoch " + worker.epoch);
            }
            if (worker.state != expected(progress.step())) {
                throw new AssertionError(worker.id + " lost or repeated a step before " + progress);
            }
        }
    }

    private static long next(long state, long step) {
        return Seeds.mix(state ^ step);
    }

    private static long expected(long steps) {
        long state = 0;
        for (long step = 1; step <= steps; step++) {
            state = next(state, step);
        }
        return state;
    }

    private long delay(int maxMillis) {
        return MILLI / 10 + random.nextLong(maxMillis * MILLI);
    }

    private static Fault fault(String why, WorkerId who) {
        return new Fault(Fault.Kind.PEER, who.toString(), who + ": " + why);
    }
}
