package dev.medley.control.coordinator;

import dev.medley.base.Fault;
import dev.medley.base.WorkerId;
import dev.medley.control.failure.Interruption;
import dev.medley.control.failure.LossMoments;
import dev.medley.control.failure.ProcessEnds;
import dev.medley.control.failure.Remedies;
import dev.medley.control.failure.Verdict;
import dev.medley.control.launcher.Launcher.Exit;
import dev.medley.control.watch.Roster;
import dev.medley.control.watch.RunWatcher;
import dev.medley.control.watch.RunWatcher.LaunchCause;
import dev.medley.net.control.Message;
import dev.medley.net.control.Message.FailureKind;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.membership.Membership;
import dev.medley.plan.source.PlanSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Decides what follows from a lost worker: the reason, whether another one replaces it, and whether
 * the run can continue without it. Owned by the coordinator.
 */
final class Crew {
    private static final Logger LOG = LoggerFactory.getLogger(Crew.class);

    private final Run run;
    private final ProcessEnds ends = new ProcessEnds();
    private final LossMoments moments = new LossMoments();
    private final Remedies remedies;
    private final Set<Integer> owed = new HashSet<>(); // Launches without room for another.
    private String lastFault = "";

    /** What it acts upon; all of it is the coordinator's. */
    record Run(
            int restarts,
            Machines machines,
            Starts starts,
            Roster roster,
            Membership membership,
            PlanSource plans,
            RunWatcher watcher,
            Interruption interruption,
            Verdict verdict) {}

    Crew(Run run) {
        this.run = run;
        this.remedies = new Remedies(run.plans);
    }

    /** The last that went wrong, for the message of a run that ends. */
    String lastFault() {
        return lastFault;
    }

    /** Something went wrong. */
    void note(Fault fault) {
        lastFault = fault.message();
    }

    /**
     * Somebody said what cannot be taken: who it was loses its connection. Unless it was out of
     * order or unreadable, the fault is ours, and the log has all of it.
     */
    void misspoke(@Nullable WorkerId worker, Message message, RuntimeException why) {
        if (!(why instanceof ProtocolException || why instanceof JacksonException)) {
            String what = message.getClass().getSimpleName();
            LOG.error("{} cannot be handled", what, why);
        }
        misspoke(worker, message, why.toString());
    }

    /** The same, with the reason in words. */
    void misspoke(@Nullable WorkerId worker, Message message, String why) {
        String what = message.getClass().getSimpleName();
        LOG.warn("{} is cut off, its {}: {}", worker == null ? "a caller" : worker, what, why);
        if (worker != null) {
            lastFault = "%s said %s, which could not be taken: %s".formatted(worker, what, why);
            run.watcher.warned(lastFault);
        }
    }

    /** Starts a worker. */
    void launch(LaunchCause why) {
        Starts.Start next = run.starts.next(why);
        if (!next.hasRoom()) {
            notLaunched(next.launch(), "no machine has room for worker-" + next.launch());
        }
    }

    /** A machine that joins gets a worker, however many the run began with. */
    void launchWhereThereIsRoom() {
        while (!isEnding() && run.machines.haveRoom()) {
            launch(LaunchCause.MACHINE);
        }
    }

    /** A worker cannot be started now, which costs a restart; the others continue. */
    void notLaunched(int launch, String why) {
        run.starts.notLaunched(launch);
        lastFault = why;
        run.watcher.warned(why);
        if (run.starts.takeRestart()) {
            run.starts.tryLater(); // What it lacks now may be there soon.
        } else {
            goOnWithout(FailureKind.INPUT);
        }
    }

    /** A worker has come, on a machine of that type, which may be gone when it is asked for. */
    void came(int launch, String machine) {
        remedies.came(launch, machine);
    }

    /** A worker tries so many samples at once, before it is a member. */
    void tries(WorkerId worker, int samples) {
        Integer launch = run.roster.launch(worker);
        if (launch != null) {
            remedies.tries(launch, samples);
        }
    }

    /** The connection of a worker has closed; {@code why} is what it said itself. */
    void hungUp(WorkerId worker, int launch, String why) {
        Exit exit = ends.take(launch);
        if (run.membership.members().contains(worker)) {
            ends.lostAsMember(launch);
        }
        gone(worker, exit == null ? "connection " + why : howItEnded(exit));
        if (exit != null) {
            judge(exit);
        }
    }

    /** A worker has left in good order: how its process ends says nothing about the run. */
    void parted(int launch) {
        run.starts.arrived(launch);
        Exit exit = ends.take(launch);
        if (exit != null) {
            judge(exit);
        }
    }

    /** A worker is no more. */
    void gone(WorkerId worker, String why) {
        Fault fault = new Fault(Fault.Kind.PEER, worker.toString(), worker + " is lost: " + why);
        run.membership.lost(worker, fault);
    }

    private static String howItEnded(Exit exit) {
        return exit.code() < 0
                ? exit.lastWords()
                : "its process ended with exit status " + exit.code();
    }

    /** A worker's process has ended. */
    void exited(Exit exit) {
        if (run.roster.worker(exit.launch()) != null) {
            ends.keep(exit);
        } else {
            judge(exit);
        }
    }

    /** Why a process ended that has nothing more to say. */
    private void judge(Exit exit) {
        boolean beforeHello = run.starts.endedBeforeHello(exit.launch());
        boolean isMissed = beforeHello && !run.membership.members().isEmpty();
        if (!exit.outOfMemory().isEmpty() && !isMissed) {
            outOfMemory(exit.launch(), exit.outOfMemory(), ends.wasMember(exit.launch()));
        } else if (beforeHello) {
            neverJoined(
                    exit.launch(),
                    "worker-%d ended with exit status %d before it could join:%n%s%s"
                            .formatted(
                                    exit.launch(),
                                    exit.code(),
                                    exit.outOfMemory(),
                                    exit.lastWords()));
        }
        boolean isAwaited = ends.judged(exit.launch());
        if (owed.remove(exit.launch()) || isAwaited) {
            restart(exit.launch());
        }
    }

    /** A worker says why it cannot go on. */
    void failed(WorkerId worker, Message.Failed failed) {
        boolean isMember = run.membership.members().contains(worker);
        if (failed.kind() == FailureKind.OUT_OF_MEMORY) {
            outOfMemory(run.roster.launch(worker), failed.message(), isMember);
        } else if (failed.kind() != FailureKind.CUT_OFF) {
            cannotGoOn(failed.kind(), failed.message(), isMember);
        }
        if (failed.kind() != FailureKind.UNSOUND) { // All find that, and stop by themselves.
            gone(worker, failed.message());
        }
    }

    /**
     * Who ran out of memory in a step, or in a trial, is started anew and gets its share in smaller
     * parts, where that is to be had.
     */
    private void outOfMemory(@Nullable Integer launch, String message, boolean wasMember) {
        String remedy = wasMember ? remedies.ofMember(launch) : remedies.ofNewcomer(launch);
        if (remedy == null) {
            cannotGoOn(FailureKind.OUT_OF_MEMORY, message, wasMember);
            return;
        }
        run.watcher.warned(message + ". Now " + remedy);
        if (launch != null) {
            moments.forgive(launch);
        }
    }

    /** The trouble of one that is not in the group is no end of those who are. */
    private void cannotGoOn(FailureKind kind, String message, boolean wasMember) {
        if (wasMember || run.membership.members().isEmpty()) {
            run.verdict.fail(kind, message);
        } else {
            run.watcher.warned("A worker cannot take part: " + message);
        }
    }

    /**
     * A start that came to nothing is a lost worker, too: the others go on while there are some.
     */
    private void neverJoined(int launch, String what) {
        LOG.warn("{}", what);
        lastFault = what;
        restart(launch);
    }

    /** The machine does without this worker from now on. */
    void lost(WorkerId worker, Fault fault, long nowNs) {
        LOG.info("{}", fault.message()); // The watcher tells the user.
        note(fault);
        if (run.verdict.isKnown()) {
            Optional<Integer> unused = run.roster.lost(worker); // It ends by itself.
            return;
        }
        run.watcher.lost(worker, fault);
        replace(worker, nowNs);
    }

    /**
     * What a worker has loaded is out of date: another begins in its place, which costs nothing.
     */
    void anew(WorkerId worker, String why, long nowNs) {
        run.watcher.released(worker, why);
        Integer launch = run.roster.launch(worker);
        if (launch != null) {
            moments.forgive(launch);
        }
        replace(worker, nowNs);
    }

    private void replace(WorkerId worker, long nowNs) {
        Integer launch = run.roster.lost(worker).orElse(null);
        if (launch == null) {
            return; // It has gone in good order.
        }
        run.starts.arrived(launch);
        run.machines.kill(launch);
        moments.lost(launch, run.starts.newest(), nowNs);
        Exit exit = ends.take(launch);
        if (exit != null) {
            judge(exit); // It was known before the loss.
        }
        if (!ends.await(launch, nowNs)) {
            restart(launch);
        }
    }

    /** What did not come in time is not waited for any more. */
    void checkDeadlines(long nowNs) {
        if (run.starts.isDue(nowNs) && !isEnding()) {
            launch(LaunchCause.RESTART);
        }
        Arrivals.Overdue overdue = run.starts.overdue(nowNs);
        if (overdue != null) {
            tooLate(overdue);
        }
        ends.overdue(nowNs).forEach(this::restart);
    }

    private void tooLate(Arrivals.Overdue overdue) {
        WorkerId worker = run.roster.worker(overdue.launch());
        if (worker != null) {
            gone(worker, overdue.why());
            return;
        }
        run.machines.kill(overdue.launch());
        run.watcher.warned(overdue.why());
        neverJoined(overdue.launch(), overdue.why());
    }

    private void restart(int launch) {
        if (isEnding()) {
            return;
        }
        if (!run.machines.haveRoom()) {
            owed.add(launch); // Until its machine has room; another may join before.
            return;
        }
        if (moments.isPaid(launch) || run.starts.takeRestart()) {
            moments.paid(launch);
            launch(LaunchCause.RESTART);
        } else {
            goOnWithout(FailureKind.BUG);
        }
    }

    private boolean isEnding() {
        return run.verdict.isKnown() || run.interruption.isWished();
    }

    /** No worker comes in the place of a lost one: those who are there are the group. */
    private void goOnWithout(FailureKind ofNobody) {
        if (run.roster.isEmpty() && run.starts.awaited() == 0) {
            run.verdict.fail(
                    ofNobody,
                    "all workers are lost and cluster.restarts=%d is used up; the last fault: %s"
                            .formatted(run.restarts, lastFault));
        } else {
            run.membership.expect(run.roster.size() + run.starts.awaited());
        }
    }
}
