package dev.medley.net.membership;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides which workers form each group: the coordinator's side of membership, a state machine
 * without threads, clocks or sockets.
 *
 * <p>Re-forming is a view change (after Oki and Liskov, Viewstamped Replication, 1988). Every
 * survivor of the old group <em>seals</em> its epoch, after which it can apply no step of it, and
 * reports its progress. The committed progress is the maximum over the survivors; steps beyond it
 * that only lost workers had applied are void, for no living state holds them. Members behind copy
 * from one that is ahead. Only if nobody survives does the state of newcomers count, which is that
 * of the checkpoint they were started from.
 *
 * <pre>
 *   GATHERING --enough ready--> RUNNING --loss or fault--> SEALING --all reported--> RUNNING ...
 *                                  |----newcomer or wish--> PAUSING --all reported--> RUNNING or STOPPED
 * </pre>
 *
 * <p>Thread: only the coordinator's agent.
 *
 * <p>Long because every worker that leaves, sits out or is cut off is part of each view change.
 */
public final class Membership {
    /**
     * How many of the ready workers a group takes; everybody, unless recorded plans are repeated.
     */
    @FunctionalInterface
    public interface GroupSize {
        /** Everybody. */
        GroupSize ALL = (committedStep, ready) -> ready;

        /** At least 1, at most {@code ready}. */
        int of(long committedStep, int ready);
    }

    /** Where the machine is. */
    public enum Phase {
        /** No group yet, or none left: waiting for workers. */
        GATHERING,
        /** A group trains. */
        RUNNING,
        /** The members finish a common step, then report. */
        PAUSING,
        /** The members end at once and report. */
        SEALING,
        /** The members have reported, and no further group is formed. */
        STOPPED
    }

    /** An action that the machine asks its owner to do. */
    public sealed interface Action {
        /** Tell these workers to seal. */
        record TellSeal(List<WorkerId> to, int epoch, String why) implements Action {}

        /** Tell these workers to pause. */
        record TellPause(List<WorkerId> to, int epoch, PauseKind kind, String why)
                implements Action {}

        /** A group is agreed: plan for it and tell its members. */
        record TellForm(Group group, Progress committed, int source, List<Integer> behind)
                implements Action {}

        /**
         * A worker that was wanted back is in no group any more and is to be closed.
         *
         * @param saveFirst whether it alone holds the committed state
         */
        record Released(WorkerId worker, boolean saveFirst, String why) implements Action {}

        /** A worker has loaded what is out of date: another is to begin in its place. */
        record Anew(WorkerId worker, String why) implements Action {}

        /** A worker is gone for good. */
        record Lost(WorkerId worker, Fault fault) implements Action {}

        /**
         * The members have reported and wait to be closed; {@code ahead} holds the committed state.
         */
        record Stopped(WorkerId ahead, Progress committed) implements Action {}
    }

    private static final class Seated {
        final WorkerId id;
        @Nullable Member member;
        Progress progress = Progress.NONE;
        Progress aside = Progress.NONE; // What it holds beside the group, which may be out of date.
        boolean inGroup;
        boolean reported;
        boolean sitsOut;
        boolean isCut;
        boolean waits; // For a way to the others.
        @Nullable String leaving;
        long lastHeardNs;

        Seated(WorkerId id, long nowNs) {
            this.id = id;
            this.lastHeardNs = nowNs;
        }

        /** What it holds counts no more, as long as a member holds as much. */
        void setAside() {
            aside = held();
            progress = Progress.NONE;
        }

        /** There is nobody any more whom it could not reach. */
        void reachNobody() {
            waits = false;
            isCut = false;
        }

        /** What it holds, whether it counts or not. */
        Progress held() {
            return progress.compareTo(aside) > 0 ? progress : aside;
        }
    }

    private final GroupSize groupSize;
    private final long peerTimeoutNs;

    /** In the order in which they joined, which is that of ranks. */
    private final Map<WorkerId, Seated> workers = new LinkedHashMap<>();

    private final List<Action> actions = new ArrayList<>();

    private Phase phase = Phase.GATHERING;
    private int expected;
    private int epoch;
    private Progress begun = Progress.NONE; // With which the present group began.
    private final Handover handover = new Handover();
    private boolean stopAfterReports;

    /**
     * A machine that waits for its first workers.
     *
     * @param expected workers of the first group; later groups take whoever is there
     * @param peerTimeoutNs silence after which a worker counts as lost
     * @param groupSize how many of the ready workers take part
     */
    public Membership(int expected, long peerTimeoutNs, GroupSize groupSize) {
        this.expected = expected;
        this.groupSize = groupSize;
        this.peerTimeoutNs = peerTimeoutNs;
    }

    /** Where the machine is. */
    public Phase phase() {
        return phase;
    }

    /** The epoch of the current or last group; 0 before the first. */
    public int epoch() {
        return epoch;
    }

    /** Workers of the current group, in order of rank. */
    public List<WorkerId> members() {
        return workers.values().stream().filter(w -> w.inGroup).map(w -> w.id).toList();
    }

    /** The actions that have come up since the last call. */
    public List<Action> takeActions() {
        List<Action> taken = List.copyOf(actions);
        actions.clear();
        return taken;
    }

    /** No more than {@code count} workers will come for the first group. */
    public void expect(int count) {
        expected = count;
        formIfPossible();
    }

    /** A worker has come, which was not there before, and loads its data. */
    public void joined(WorkerId id, long nowNs) {
        if (workers.putIfAbsent(id, new Seated(id, nowNs)) != null) {
            throw new IllegalArgumentException(id + " has joined before");
        }
    }

    /** A worker can take part. */
    public void ready(WorkerId id, Member member, Progress progress, long nowNs) {
        Seated worker = workers.get(id);
        if (worker == null) {
            return;
        }
        worker.member = member;
        worker.progress = progress;
        worker.lastHeardNs = nowNs;
        if (phase == Phase.RUNNING) {
            pause(id + " joins");
        }
        formIfPossible();
    }

    /**
     * A worker is to compute by other kernels: from the next group on, which forms for that if it
     * is a member.
     */
    public void rekeyed(WorkerId id, String kernelKey, String why) {
        Seated worker = workers.get(id);
        if (worker != null && worker.member != null) {
            worker.member = worker.member.computingBy(kernelKey);
            if (worker.inGroup) {
                replan(why);
            }
        }
    }

    /** A sign of life. */
    public void heard(WorkerId id, long nowNs) {
        Seated worker = workers.get(id);
        if (worker != null) {
            worker.lastHeardNs = nowNs;
        }
    }

    /** A member met a fault in this epoch: the step ends for all. */
    public void faulted(WorkerId id, int ofEpoch, Fault fault) {
        if (ofEpoch == epoch && workers.containsKey(id)) {
            seal(fault.message());
        }
    }

    /** A member can apply no step of the epoch any more. */
    public void sealed(WorkerId id, int ofEpoch, Progress progress) {
        Seated worker = workers.get(id);
        if (worker == null || ofEpoch != epoch || !worker.inGroup) {
            return;
        }
        worker.reported = true;
        worker.progress = progress;
        if (phase == Phase.RUNNING) {
            phase = Phase.PAUSING;
        }
        formIfPossible();
    }

    /** A worker is gone: its process ended, its connection broke, or it was silent for too long. */
    public void lost(WorkerId id, Fault fault) {
        Seated worker = workers.remove(id);
        if (worker == null) {
            return;
        }
        actions.add(new Action.Lost(id, fault));
        if (worker.inGroup) {
            seal(fault.message());
        }
        formIfPossible();
    }

    /**
     * A worker is wanted back: it leaves after the step under way, so that nothing is computed
     * twice. If it alone holds the state, it keeps it in a checkpoint first.
     */
    public void leave(WorkerId id, String why) {
        Seated worker = workers.get(id);
        if (worker == null || worker.leaving != null) {
            return;
        }
        worker.leaving = why;
        if (!worker.inGroup) {
            release(worker, false);
        } else if (phase == Phase.RUNNING) {
            pause(why);
        }
        formIfPossible();
    }

    /**
     * A worker that was released is gone. If it was the last one, those that wait go on from the
     * checkpoint that it was told to keep, where that has come to be.
     *
     * @param keptStep of the newest checkpoint that the run has
     * @param newest the last worker that was started
     */
    public void parted(WorkerId id, long keptStep, WorkerId newest) {
        handover.parted(id, keptStep, newest);
        formIfPossible();
    }

    /** A worker has gone after the end, in good order: nobody waits for a sign of life of it. */
    public void left(WorkerId id) {
        if (phase == Phase.STOPPED) {
            workers.remove(id);
        }
    }

    /**
     * A checkpoint of this step is kept. Where all members are lost, nobody goes on from an older
     * one that was loaded before.
     *
     * @param newest the last worker that was started
     */
    public void kept(long step, WorkerId newest) {
        handover.kept(step, newest);
    }

    /**
     * The others go on without this worker after the step under way; it stays connected, and holds
     * no state from then on. If nobody else is there, it goes on.
     */
    public void sitOut(WorkerId id, String why) {
        Seated worker = workers.get(id);
        if (worker != null && !worker.sitsOut) {
            worker.sitsOut = true;
            if (worker.inGroup) {
                replan(why);
            }
        }
    }

    /**
     * These are the workers that the others cannot reach now, and no more: the others go on without
     * them, at once. They stay connected, and hold no state from then on; a step that they alone
     * have applied is void. Where nobody else holds the state, they go on and the others wait.
     */
    public void cutOff(Collection<WorkerId> unreached, String why) {
        boolean isBack = false;
        boolean isGone = false;
        for (Seated worker : workers.values()) {
            isGone |= !worker.isCut && worker.inGroup && unreached.contains(worker.id);
            isBack |= worker.waits && !unreached.contains(worker.id);
            worker.isCut = unreached.contains(worker.id);
        }
        if (isBack) {
            workers.values().forEach(w -> w.waits &= w.isCut);
            replan(why);
        }
        if (isGone) {
            seal(why);
        }
        formIfPossible();
    }

    /** Ends the current group at once and forms it anew, as where its members are stuck. */
    public void reform(String why) {
        seal(why);
    }

    /** The workers that can take part, and those that sit out. */
    public List<Member> readyMembers() {
        return ready().stream().map(w -> Objects.requireNonNull(w.member)).toList();
    }

    /** A worker that sat out takes part again: it copies the state like one that is new. */
    public void comeBack(WorkerId id, String why) {
        Seated worker = workers.get(id);
        if (worker != null && worker.sitsOut) {
            worker.sitsOut = false;
            if (!worker.inGroup) {
                replan(why);
            }
        }
    }

    /** Time passes: the silent are lost. */
    public void tick(long nowNs) {
        if (handover.isUnderWay()) {
            handover.tick(nowNs);
            formIfPossible();
        }
        for (Seated worker : List.copyOf(workers.values())) {
            long silentNs = nowNs - worker.lastHeardNs;
            if (silentNs > peerTimeoutNs) {
                String message =
                        "%s silent for %.1f s > peer timeout %.1f s"
                                .formatted(worker.id, silentNs / 1e9, peerTimeoutNs / 1e9);
                lost(worker.id, new Fault(Fault.Kind.PEER, worker.id.toString(), message));
            }
        }
    }

    /** Ends the current group at a common step and forms it anew, with another plan. */
    public void replan(String why) {
        if (phase == Phase.RUNNING) {
            pause(why);
        }
    }

    /** Ends the current group at a common step, and forms no other. */
    public void stop(String why) {
        stopAfterReports = true;
        if (phase == Phase.RUNNING || phase == Phase.PAUSING) {
            pause(why); // Who pauses for another reason may be waiting for room on its disk.
        }
        formIfPossible();
    }

    /** How long until {@link #tick} may have something to do. */
    public long nextTickNs(long nowNs) {
        long earliest = Long.MAX_VALUE;
        for (Seated worker : workers.values()) {
            earliest = Math.min(earliest, worker.lastHeardNs + peerTimeoutNs + 1 - nowNs);
        }
        return Math.max(0, earliest);
    }

    private void pause(String why) {
        phase = Phase.PAUSING;
        PauseKind kind = stopAfterReports ? PauseKind.END : PauseKind.REFORM;
        actions.add(new Action.TellPause(members(), epoch, kind, why));
    }

    private void seal(String why) {
        if (phase == Phase.RUNNING || phase == Phase.PAUSING) {
            phase = Phase.SEALING;
            actions.add(new Action.TellSeal(members(), epoch, why));
        }
    }

    private void formIfPossible() {
        Collection<Seated> all = workers.values();
        List<Seated> survivors = all.stream().filter(w -> w.inGroup).toList();
        switch (phase) {
            case GATHERING -> formFromNewcomers();
            case PAUSING, SEALING -> {
                if (survivors.stream().allMatch(w -> w.reported)) {
                    formFromReports(survivors);
                }
            }
            case RUNNING, STOPPED -> {}
        }
    }

    private void formFromNewcomers() {
        if (!stopAfterReports) {
            if (handover.isUnderWay()) {
                return;
            }
            workers.values().forEach(Seated::reachNobody);
            sendAwayWhoIsBehind();
            if (goesOnFromAside(ready())) {
                return;
            }
        }
        List<Seated> ready = ready();
        if (!ready.isEmpty() && best(ready).equals(Progress.NONE)) {
            ready.forEach(w -> lost(w.id, stateLost(w.id))); // New ones have the checkpoint.
            return;
        }
        if (stopAfterReports) {
            phase = Phase.STOPPED;
            Progress most = best(ready);
            ready.stream()
                    .filter(w -> w.progress.equals(most))
                    .findFirst()
                    .ifPresent(w -> actions.add(new Action.Stopped(w.id, most)));
        } else if (ready.size() >= (epoch == 0 ? expected : 1)) {
            form(ready, best(ready));
        }
    }

    /**
     * Where somebody who is in no group holds more than those who report, the next group begins
     * from that, and nobody else's state counts: who sat out, or was cut off, or has loaded a
     * checkpoint of those that are lost.
     *
     * @return whether it does
     */
    private boolean goesOnFromAside(List<Seated> reporting) {
        Progress least = best(reporting);
        Seated ahead =
                ready().stream()
                        .filter(w -> !w.inGroup && !w.waits && !w.isCut && w.leaving == null)
                        .filter(w -> w.held().compareTo(least) > 0)
                        .max(Comparator.comparing(Seated::held))
                        .orElse(null);
        if (ahead == null) {
            return false;
        }
        Progress held = ahead.held();
        List<Seated> next = new ArrayList<>();
        for (Seated worker : ready()) {
            if (worker.leaving != null) {
                release(worker, false);
            } else if (!worker.waits) {
                worker.setAside();
                next.add(worker);
            }
        }
        ahead.progress = held;
        ahead.sitsOut = false;
        form(next, held);
        return true;
    }

    /** What a checkpoint keeps is not computed again because somebody had loaded before. */
    private void sendAwayWhoIsBehind() {
        long kept = handover.keptStep();
        if (ready().stream().anyMatch(w -> w.held().step() >= kept)) {
            return;
        }
        for (Seated worker : ready()) {
            if (handover.isOlder(worker.id)) {
                workers.remove(worker.id);
                String why =
                        "%s has step %d, and step %d was kept since: another begins with it"
                                .formatted(worker.id, worker.held().step(), kept);
                actions.add(new Action.Anew(worker.id, why));
            }
        }
    }

    private void formFromReports(List<Seated> survivors) {
        if (!stopAfterReports && best(survivors).compareTo(begun) < 0) {
            survivors.forEach(w -> w.inGroup = false); // Who had the group's state is lost.
            survivors = List.of();
        }
        if (survivors.isEmpty()) {
            phase = Phase.GATHERING;
            formFromNewcomers();
            return;
        }
        if (!stopAfterReports && survivors.stream().anyMatch(w -> w.isCut)) {
            formFromReports(inTouch(survivors));
            return;
        }
        if (!stopAfterReports && goesOnFromAside(survivors)) {
            return;
        }
        Progress committed = best(survivors);
        if (committed.equals(Progress.NONE)) {
            survivors.forEach(w -> lost(w.id, stateLost(w.id)));
            return;
        }
        if (stopAfterReports) {
            phase = Phase.STOPPED;
            Seated ahead =
                    survivors.stream()
                            .filter(w -> w.progress.equals(committed))
                            .findFirst()
                            .orElseThrow();
            actions.add(new Action.Stopped(ahead.id, committed));
            return;
        }
        List<Seated> next = staying(survivors, committed);
        if (next.isEmpty()) {
            phase = Phase.GATHERING;
            return;
        }
        for (Seated newcomer : ready()) {
            if (!newcomer.inGroup && !newcomer.waits) {
                newcomer.setAside();
                next.add(newcomer);
            }
        }
        form(next, committed);
    }

    /** Those that go on where some are cut off; the others wait. */
    private List<Seated> inTouch(List<Seated> survivors) {
        List<Seated> cut = survivors.stream().filter(w -> w.isCut).toList();
        List<Seated> others = survivors.stream().filter(w -> !w.isCut).toList();
        boolean isHeld = !others.isEmpty() && best(others).compareTo(begun) >= 0;
        Progress committed = best(isHeld ? others : cut);
        for (Seated worker : isHeld ? cut : others) {
            worker.inGroup = false;
            boolean isVoid = worker.progress.compareTo(committed) > 0;
            worker.setAside();
            worker.aside = isVoid ? Progress.NONE : worker.aside;
            worker.waits = true;
        }
        cut.forEach(w -> w.isCut = isHeld);
        return isHeld ? others : cut;
    }

    /**
     * Those of the survivors that go on; the leaving are released, unless nobody else holds the
     * state that newcomers have to copy: then they stay for one more group.
     */
    private List<Seated> staying(List<Seated> survivors, Progress committed) {
        List<Seated> staying = survivors.stream().filter(w -> w.leaving == null).toList();
        boolean isHeld = staying.stream().anyMatch(w -> w.progress.equals(committed));
        boolean hasHeirs = ready().stream().anyMatch(w -> w.leaving == null && !w.waits);
        if (!isHeld && hasHeirs) {
            return new ArrayList<>(survivors);
        }
        boolean saveFirst = staying.isEmpty();
        for (Seated worker : survivors) {
            if (worker.leaving != null) {
                release(worker, saveFirst && worker.progress.equals(committed));
                saveFirst &= !worker.progress.equals(committed);
            }
        }
        return new ArrayList<>(staying);
    }

    private void release(Seated worker, boolean saveFirst) {
        workers.remove(worker.id);
        String why = Objects.requireNonNull(worker.leaving);
        actions.add(new Action.Released(worker.id, saveFirst, why));
        if (saveFirst) {
            handover.begin(worker.id, worker.progress);
        }
    }

    private void form(List<Seated> seated, Progress committed) {
        seated.sort(Comparator.comparing(w -> w.id));
        seated.forEach(w -> w.inGroup = false);
        benchThoseWhoSitOut(seated, committed);
        leaveOut(seated, committed);
        epoch++;
        begun = committed;
        phase = Phase.RUNNING;
        List<Member> members = new ArrayList<>();
        List<Integer> behind = new ArrayList<>();
        int source = -1;
        for (int rank = 0; rank < seated.size(); rank++) {
            Seated worker = seated.get(rank);
            members.add(Objects.requireNonNull(worker.member));
            worker.inGroup = true;
            worker.reported = false;
            worker.aside = Progress.NONE;
            if (!worker.progress.equals(committed)) {
                behind.add(rank);
            } else if (source < 0) {
                source = rank;
            }
        }
        actions.add(new Action.TellForm(new Group(epoch, members), committed, source, behind));
        seated.stream()
                .filter(w -> w.leaving != null)
                .findFirst()
                .ifPresent(w -> pause(Objects.requireNonNull(w.leaving)));
    }

    /**
     * What they hold is out of date after the next step, so they hold nothing from now on. Where
     * nobody else would be left, they take part again.
     */
    private static void benchThoseWhoSitOut(List<Seated> seated, Progress committed) {
        boolean isHeld = seated.stream().anyMatch(w -> !w.sitsOut && w.progress.equals(committed));
        boolean someStay = seated.stream().anyMatch(w -> !w.sitsOut && w.leaving == null);
        List<Seated> sitting = seated.stream().filter(w -> w.sitsOut).toList();
        if (isHeld && someStay) {
            sitting.forEach(Seated::setAside);
            seated.removeAll(sitting);
        } else {
            sitting.forEach(w -> w.sitsOut = false);
        }
    }

    /** Shortens the list to the wanted size; never leaves out all that hold the committed state. */
    private void leaveOut(List<Seated> seated, Progress committed) {
        int wanted = Math.max(1, groupSize.of(committed.step(), seated.size()));
        for (int i = seated.size() - 1; i >= 0 && seated.size() > wanted; i--) {
            long ahead = seated.stream().filter(w -> w.progress.equals(committed)).count();
            if (ahead > 1 || !seated.get(i).progress.equals(committed)) {
                seated.remove(i);
            }
        }
    }

    private static Fault stateLost(WorkerId id) {
        return new Fault(
                Fault.Kind.PEER,
                id.toString(),
                id
                        + " holds no state: the member that it copied from was lost before the end"
                        + " of the copy");
    }

    private List<Seated> ready() {
        return new ArrayList<>(workers.values().stream().filter(w -> w.member != null).toList());
    }

    private static Progress best(List<Seated> seated) {
        return seated.stream()
                .map(w -> w.progress)
                .max(Comparator.naturalOrder())
                .orElse(Progress.NONE);
    }
}
