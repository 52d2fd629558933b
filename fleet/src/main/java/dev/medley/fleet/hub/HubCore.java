package dev.medley.fleet.hub;

import dev.medley.base.ConfigException;
import dev.medley.base.text.Units;
import dev.medley.fleet.cost.DeadlineForecast;
import dev.medley.fleet.cost.EgressPrices;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.state.FleetEntry;
import dev.medley.fleet.state.FleetEntry.OfJob;
import dev.medley.fleet.state.FleetEntry.OfMachine;
import dev.medley.fleet.state.FleetEntry.OfRate;
import dev.medley.fleet.state.FleetEntry.OfSentence;
import dev.medley.fleet.state.FleetEntry.OfTenure;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.FleetJournal;
import dev.medley.fleet.state.FleetMachine;
import dev.medley.fleet.state.FleetState;
import dev.medley.fleet.state.JobAttempt;
import dev.medley.fleet.state.JobMeasure;
import dev.medley.fleet.state.JobOwner;
import dev.medley.fleet.state.JobPhase;
import dev.medley.fleet.state.JobRequest;
import dev.medley.fleet.state.Tenure;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a hub does next. Everything that changes is journalled before it counts, and before
 * anything is done on its account; so a hub that is killed at any moment goes on with every job.
 * What is to be done follows from the state alone ({@link #wishes}), so doing it twice or not at
 * all is mended by the next look.
 *
 * <p>Belongs to one thread; the clock is an argument of each call.
 */
public final class HubCore {
    /**
     * Entries between two snapshots at least; no fewer than the last one had, so that all of them
     * cost as much as the journal.
     */
    private static final int SNAPSHOT_EVERY = 2_000;

    private final FleetState state = new FleetState();
    private final FleetJournal journal;
    private final HubRules rules;
    private final HubRound round;
    private double roundS = Double.NEGATIVE_INFINITY;
    private double tickS;
    private boolean isDue = true;
    private int appended;
    private int snapshotAfter = SNAPSHOT_EVERY;

    private HubCore(FleetJournal journal, HubRules rules, Policy policy, double nowS) {
        this.journal = journal;
        this.rules = rules;
        round = new HubRound(this, policy, rules);
        tickS = nowS;
    }

    /**
     * A hub that goes on from its journal. Machines count as heard now: they have their time to
     * report.
     */
    public static HubCore of(FleetJournal journal, HubRules rules, Policy policy, double nowS) {
        HubCore core = new HubCore(journal, rules, policy, nowS);
        journal.replay().forEach(core.state::fold);
        core.hearAll(nowS);
        return core;
    }

    private void hearAll(double nowS) {
        for (FleetMachine machine : List.copyOf(state.machines())) {
            if (!machine.isLost()) {
                state.fold(new OfMachine(machine.heard(nowS)));
            }
        }
    }

    /** What a job's owner should know; empty where there is nothing to say. */
    public List<String> forecasts(FleetJob job, double nowS) {
        return HubForecasts.of(state, rules.egress(), nowS).sentences(job);
    }

    /** What would hold a job up even if nobody else were there; null where nothing would. */
    public @Nullable HubObstacle obstacle(FleetJob job, double nowS) {
        return HubForecasts.of(state, rules.egress(), nowS).obstacle(job, rules.shares());
    }

    /** The fleet as it is; to look at. */
    public FleetState state() {
        return state;
    }

    void put(FleetEntry entry) {
        journal.append(entry);
        state.fold(entry);
        if (++appended >= snapshotAfter) {
            List<FleetEntry> whole = state.whole();
            snapshotAfter = Math.max(SNAPSHOT_EVERY, whole.size());
            try {
                journal.snapshot(whole);
                appended = 0;
            } catch (UncheckedIOException e) {
                appended = snapshotAfter / 2; // The journal has it all: later is soon enough.
            }
        }
    }

    void put(FleetJob job) {
        put(new OfJob(job));
    }

    void say(long job, double nowS, String sentence) {
        put(new OfSentence(job, nowS, sentence));
    }

    /** Takes a job into the queue. When it returns, the job is kept. */
    public FleetJob submit(JobRequest request, double nowS) {
        requireAhead(request.owner(), nowS);
        FleetJob job = FleetJob.submitted(state.nextId(), request, nowS);
        put(job);
        doubt(job, nowS);
        isDue = true;
        return job(job.id());
    }

    private static void requireAhead(JobOwner owner, double nowS) {
        ConfigException.check(
                owner.deadlineS() > nowS,
                "its deadline was %s ago: give a later one",
                Units.duration((nowS - owner.deadlineS()) * 1e9));
    }

    /** Says at once where a deadline cannot be kept, and by how much. */
    private void doubt(FleetJob job, double nowS) {
        if (Double.isFinite(job.request().owner().deadlineS())) {
            DeadlineForecast forecast =
                    HubForecasts.of(state, EgressPrices.NONE, nowS).deadline(job);
            if (forecast != null && forecast.missedByS() > 0) {
                put(job.in(job.phase(), forecast.sentence()));
                say(job.id(), nowS, forecast.sentence());
            }
        }
    }

    /** Gives a job that is not over other terms: priority, deadline, budget, machines. */
    public FleetJob change(long id, JobRequest request, double nowS) {
        FleetJob job = job(id);
        ConfigException.check(!job.phase().isOver(), "job %d is over: %s", id, job.why());
        if (request.owner().deadlineS() != job.request().owner().deadlineS()) {
            requireAhead(request.owner(), nowS);
        }
        FleetJob changed = job.with(request);
        put(changed);
        say(id, nowS, "its user changed its terms");
        doubt(changed, nowS);
        isDue = true;
        return job(id);
    }

    /**
     * The job of an id.
     *
     * @throws ConfigException if there is none
     */
    public FleetJob job(long id) {
        FleetJob job = state.job(id);
        if (job == null) {
            throw new ConfigException(
                    "there is no job %d; medley jobs lists those that there are".formatted(id));
        }
        return job;
    }

    /** Ends a job: it keeps a checkpoint, and its machines are free. */
    public FleetJob cancel(long id, double nowS) {
        FleetJob job = job(id);
        ConfigException.check(!job.phase().isOver(), "job %d is over: %s", id, job.why());
        return leave(job, JobPhase.CANCELLED, "its user cancelled it", nowS);
    }

    /** Takes its machines from a job until it is resumed. */
    public FleetJob pause(long id, String why, double nowS) {
        FleetJob job = job(id);
        ConfigException.check(
                job.wantsMachines(), "job %d cannot be paused: it is %s", id, job.phase());
        return leave(job, JobPhase.PAUSED, why, nowS);
    }

    /** Lets a paused job back into the queue. */
    public FleetJob resume(long id, double nowS) {
        FleetJob job = job(id);
        ConfigException.check(
                job.phase() == JobPhase.PAUSED || job.phase() == JobPhase.PAUSING,
                "job %d is not paused: it is %s",
                id,
                job.phase());
        FleetJob queued = job.in(JobPhase.QUEUED, "its user resumed it");
        put(queued);
        isDue = true;
        return queued;
    }

    private FleetJob leave(FleetJob job, JobPhase phase, String why, double nowS) {
        FleetJob free = release(job, List.of(), why, nowS);
        FleetJob left = free.in(phase, why);
        put(phase.isOver() ? left.with(left.times().ended(nowS)) : left);
        say(job.id(), nowS, why);
        isDue = true;
        return job(job.id());
    }

    /** What it costs to bring a job's data to those of these machines that it does not hold yet. */
    double egress(FleetJob job, List<String> names) {
        List<String> added = new ArrayList<>(names);
        added.removeAll(job.machines());
        boolean isFree = added.isEmpty() || !rules.egress().areKnown();
        return isFree ? 0 : new EgressCosts(state, rules.egress()).of(job, added);
    }

    /** Has a job hold these machines alone; who had others gives them back. */
    FleetJob release(FleetJob job, List<String> names, String why, double nowS) {
        double cost = egress(job, names);
        for (String name : job.machines()) {
            Tenure tenure = state.tenureOf(name);
            if (!names.contains(name) && tenure != null && tenure.job() == job.id()) {
                put(new OfTenure(tenure.ended(nowS)));
                cost += state.cost(tenure, nowS);
            }
        }
        for (String name : names) {
            if (!job.machines().contains(name)) {
                put(new OfTenure(new Tenure(name, job.id(), nowS, null, why)));
            }
        }
        FleetJob now =
                job.holding(names, why)
                        .with(
                                names.isEmpty()
                                        ? job.times().waiting(nowS, cost)
                                        : job.times().holding(nowS, cost));
        put(now);
        return now;
    }

    /**
     * An agent says how its machine is.
     *
     * @return the jobs that it should serve, and no others
     */
    public List<FleetJob> report(MachineReport report, double nowS) {
        FleetMachine before = state.machine(report.name());
        double leavingS =
                report.leavingInS() < 0 ? Double.POSITIVE_INFINITY : nowS + report.leavingInS();
        FleetMachine now =
                new FleetMachine(
                        report.name(),
                        report.type(),
                        report.site(),
                        report.seen(),
                        nowS,
                        leavingS,
                        false);
        boolean isNew =
                before == null
                        || before.isLost()
                        || !before.seen().equals(now.seen())
                        || !before.type().equals(now.type())
                        || before.isUsable() != now.isUsable();
        if (isNew) {
            put(new OfMachine(now));
            isDue = true;
        } else {
            state.fold(new OfMachine(now));
        }
        List<FleetJob> serve = new ArrayList<>();
        for (FleetJob job : state.liveJobs()) {
            if (job.machines().contains(report.name()) && job.run().pid() != 0) {
                serve.add(job);
            }
        }
        return serve;
    }

    /**
     * A process is about to be started for a job at an address.
     *
     * @return the job with that attempt, which is journalled
     */
    public FleetJob starting(long id, String address, double nowS) {
        FleetJob job = job(id);
        FleetJob now = job.with(job.run().next(address)).in(JobPhase.STARTING, job.why());
        put(now);
        return now;
    }

    /** A job's process was started, or found again. */
    public void started(long id, long pid, long startedMillis) {
        FleetJob job = job(id);
        put(job.with(job.run().withProcess(pid, startedMillis)));
    }

    /** Something about a job does not go as it should, and is tried again; said once. */
    public void troubled(long id, String sentence, double nowS) {
        FleetJob job = job(id);
        if (!sentence.equals(job.why())) {
            put(job.in(job.phase(), sentence));
        }
        boolean isSaid =
                state.sentences(id).stream().anyMatch(said -> said.sentence().equals(sentence));
        if (!isSaid) {
            say(id, nowS, sentence);
        }
    }

    /** A job's run has its folder. */
    public void inFolder(long id, String folder) {
        FleetJob job = job(id);
        put(job.with(job.run().withFolder(folder)));
    }

    /** A job's process is over. */
    public void ended(long id, ProcessEnd end, double nowS) {
        FleetJob job = job(id).with(job(id).run().ended());
        switch (end.outcome()) {
            case DONE -> over(job, JobPhase.DONE, end.sentence(), nowS);
            case REFUSED -> over(job, JobPhase.FAILED, end.sentence(), nowS);
            case STOPPED -> again(job, job.why(), nowS);
            case BROKEN -> {
                JobBreaks breaks = JobBreaks.of(job, rules.attempts(), end.sentence());
                FleetJob broken = job.with(breaks.run());
                if (breaks.fails() && !job.phase().isOver()) {
                    over(broken, JobPhase.FAILED, breaks.sentence(), nowS);
                } else {
                    again(broken, breaks.sentence(), nowS);
                }
            }
        }
        isDue = true;
    }

    private void over(FleetJob job, JobPhase phase, String why, double nowS) {
        FleetJob free = release(job, List.of(), why, nowS);
        JobPhase last =
                job.phase() == JobPhase.CANCELLED && phase == JobPhase.FAILED
                        ? JobPhase.CANCELLED
                        : phase;
        put(free.in(last, why).with(free.times().ended(nowS)));
        say(job.id(), nowS, why);
    }

    /** Back into the queue, unless its user wants it otherwise. */
    private void again(FleetJob job, String why, double nowS) {
        boolean isWanted = job.wantsMachines();
        FleetJob free = isWanted ? release(job, List.of(), why, nowS) : job;
        JobPhase phase = isWanted ? JobPhase.QUEUED : job.phase();
        put(free.in(phase == JobPhase.PAUSING ? JobPhase.PAUSED : phase, why));
        say(job.id(), nowS, why);
    }

    /** What was measured of a job's run; kept when it runs first, and then each round. */
    public void measured(long id, JobMeasure measure, Map<String, Double> newRates) {
        FleetJob job = job(id);
        newRates.forEach((type, rate) -> put(new OfRate(job.request().kind(), type, rate, 0.05)));
        boolean isFirst = job.phase() == JobPhase.STARTING && measure.perSecond() > 0;
        FleetJob now = job.with(measure);
        isDue |= isFirst; // It may grow from now on.
        if (isFirst || !newRates.isEmpty()) {
            put(isFirst ? now.in(JobPhase.RUNNING, job.why()) : now);
        } else {
            state.fold(new OfJob(now));
        }
    }

    /**
     * Time passes: machines that are silent are lost, budgets are looked at, and a round is held if
     * one is due.
     */
    public void tick(double nowS) {
        if (nowS < tickS || nowS > tickS + rules.silenceS()) {
            // The clock was set, or the hub stood still: that is no silence of machines.
            hearAll(nowS);
            roundS = Math.min(roundS, nowS);
        }
        tickS = nowS;
        for (FleetMachine machine : List.copyOf(state.machines())) {
            boolean isGone =
                    nowS - machine.heardS() > rules.silenceS() || machine.leavingS() <= nowS;
            if (isGone && !machine.isLost()) {
                put(new OfMachine(machine.lost()));
                isDue = true;
            }
        }
        new HubBudgets(this).look(nowS);
        boolean isTime = nowS >= roundS + rules.roundS();
        if (isTime || isDue && nowS >= roundS + rules.settleS()) {
            roundS = nowS;
            isDue = false;
            round.hold(nowS);
        }
    }

    /** When the next round is held: soon where something happened, else in its time. */
    public double nextRoundS() {
        return roundS + (isDue ? rules.settleS() : rules.roundS());
    }

    /**
     * What is to be done to processes now.
     *
     * @param address where machines would join a job's next process
     */
    public List<HubWish> wishes(LongFunction<String> address, double nowS) {
        List<HubWish> wishes = new ArrayList<>();
        for (FleetJob job : state.liveJobs()) {
            JobAttempt run = job.run();
            boolean isWanted = job.wantsMachines() && !job.machines().isEmpty();
            if (isWanted && !run.isStarted()) {
                wishes.add(new HubWish.Start(starting(job.id(), address.apply(job.id()), nowS)));
            } else if (isWanted && run.pid() == 0) {
                // Journalled, and perhaps started, before the hub was killed.
                wishes.add(new HubWish.Start(job));
            } else if (!isWanted && run.isStarted()) {
                wishes.add(new HubWish.Stop(job));
            }
        }
        return wishes;
    }
}
