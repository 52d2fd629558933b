package dev.medley.hub;

import dev.medley.base.ConfigException;
import dev.medley.base.Version;
import dev.medley.base.time.Clock;
import dev.medley.fleet.hub.HubCore;
import dev.medley.fleet.hub.HubWish;
import dev.medley.fleet.hub.MachineReport;
import dev.medley.fleet.hub.MeasuredSpeed;
import dev.medley.fleet.state.FleetJob;
import dev.medley.fleet.state.JobMeasure;
import dev.medley.fleet.state.Tenure;
import dev.medley.hub.job.JobFolder.Figures;
import dev.medley.hub.job.JobProcesses;
import dev.medley.hub.journal.FileJournal;
import dev.medley.hub.service.AgentOrders;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.CurvePoint;
import dev.medley.hub.service.FleetCounters;
import dev.medley.hub.service.FleetStatus;
import dev.medley.hub.service.HubService;
import dev.medley.hub.service.JobReason;
import dev.medley.hub.service.JobStatus;
import dev.medley.hub.service.LogPart;
import dev.medley.hub.service.Submission;
import dev.medley.hub.service.TermsChange;
import dev.medley.net.door.FreePort;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a fleet: drives the core by the clock, has processes do what it wishes, and answers callers.
 * All that touches the core runs on one thread of its own; callers wait for it, at most ten
 * seconds.
 */
public final class Hub implements HubService, AutoCloseable {
    private static final long TICK_MILLIS = 500;
    private static final long PATIENCE_S = 10;

    private final HubOptions options;
    private final Clock clock;
    private final FileJournal journal;
    private final HubCore core;
    private final JobProcesses processes;
    private final HubAnswers answers;
    private final Submissions submissions;
    private final HubCounts counts = new HubCounts();
    private final Troubles troubles;
    private final Map<Long, Double> grantedS = new HashMap<>();
    private final Map<Long, Figures> taken = new HashMap<>();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(
                    work -> {
                        Thread hub = new Thread(work, "hub");
                        hub.setDaemon(true);
                        return hub;
                    });

    private Hub(HubOptions options, Clock clock, FileJournal journal) {
        this.options = options;
        this.clock = clock;
        this.journal = journal;
        core = HubCore.of(journal, options.rules(), counts.timed(options.policy(), clock), nowS());
        counts.found(core.state());
        troubles = new Troubles(clock);
        processes =
                new JobProcesses(
                        options.folder().resolve("jobs"),
                        options.jobCommand(),
                        options.credentials(),
                        clock);
        answers = new HubAnswers(core, options.policy().name(), processes);
        submissions = new Submissions();
    }

    /**
     * A hub that goes on with what its folder holds.
     *
     * @throws ConfigException if another hub holds the folder
     */
    public static Hub open(HubOptions options, Clock clock) {
        Hub hub = new Hub(options, clock, FileJournal.open(options.folder()));
        var unused =
                hub.thread.scheduleWithFixedDelay(hub::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
        return hub;
    }

    private double nowS() {
        return clock.wallMillis() / 1e3;
    }

    private void tick() {
        try {
            double now = nowS();
            for (FleetJob job : core.state().liveJobs()) {
                if (job.run().pid() != 0) {
                    lookAt(job, now);
                }
            }
            core.tick(now);
            for (HubWish wish : core.wishes(job -> address(), now)) {
                tryTo(wish, now);
            }
            counts.look(core.state());
        } catch (RuntimeException e) {
            troubles.log("the hub's round failed; it goes on with the next", e);
        }
    }

    /** What one job's folder holds must not stop the others. */
    private void lookAt(FleetJob job, double now) {
        try {
            look(job, now);
        } catch (RuntimeException e) {
            troubles.log("job %d cannot be looked at; others go on".formatted(job.id()), e);
        }
    }

    /** A job whose process cannot be started must not stop the others; it is tried again. */
    private void tryTo(HubWish wish, double now) {
        try {
            act(wish);
        } catch (RuntimeException e) {
            troubles.log("job %d cannot be served; others go on".formatted(wish.job().id()), e);
            core.troubled(
                    wish.job().id(),
                    "its process cannot be started, which is tried again: " + Troubles.words(e),
                    now);
        }
    }

    private void look(FleetJob job, double now) {
        processes.figures(job).ifPresent(figures -> take(job, figures));
        processes.ended(job).ifPresent(end -> core.ended(job.id(), end, now));
    }

    private void take(FleetJob job, Figures figures) {
        if (figures.equals(taken.put(job.id(), figures))) {
            return;
        }
        if (!figures.runFolder().isEmpty() && !figures.runFolder().equals(job.run().folder())) {
            core.inFolder(job.id(), figures.runFolder());
        }
        FleetJob current = core.job(job.id());
        double restartS = current.measure().restartS();
        Double sinceS = grantedS.get(job.id());
        if (sinceS != null && figures.firstStepEpochS() > sinceS) {
            restartS = figures.firstStepEpochS() - sinceS;
        }
        MeasuredSpeed speed =
                MeasuredSpeed.of(core.state(), current, figures.machines(), figures.perSecond());
        core.measured(
                job.id(),
                new JobMeasure(
                        figures.done(),
                        figures.total(),
                        figures.perSecond(),
                        figures.loss(),
                        speed.rates(),
                        restartS,
                        speed.exchangeRate(),
                        Math.max(current.measure().peakBytes(), figures.peakBytes())),
                speed.news());
    }

    private void act(HubWish wish) {
        FleetJob job = wish.job();
        if (wish instanceof HubWish.Stop) {
            processes.stop(job);
            return;
        }
        grantedS.put(job.id(), nowS());
        long[] process = processes.start(job);
        core.started(job.id(), process[0], process[1]);
    }

    /** Where machines join a job's next process: a port that is free now. */
    private String address() {
        return options.host() + ":" + FreePort.find();
    }

    private <T> T ask(Callable<T> question) {
        try {
            return thread.submit(question).get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "the hub did not answer within " + PATIENCE_S + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public JobStatus submit(Submission submission) {
        var request = submissions.checked(submission);
        return ask(
                () -> {
                    FleetJob job = core.submit(request, nowS());
                    return answers.status(core.job(job.id()), nowS());
                });
    }

    @Override
    public List<JobStatus> jobs() {
        return ask(() -> answers.jobs(nowS()));
    }

    @Override
    public JobStatus job(long id) {
        return ask(() -> answers.status(core.job(id), nowS()));
    }

    @Override
    public JobReason why(long id) {
        return ask(() -> answers.why(core.job(id), nowS()));
    }

    @Override
    public JobStatus change(long id, TermsChange change) {
        return ask(
                () ->
                        answers.status(
                                core.change(
                                        id,
                                        Submissions.changed(core.job(id).request(), change),
                                        nowS()),
                                nowS()));
    }

    @Override
    public JobStatus cancel(long id) {
        return ask(() -> answers.status(core.cancel(id, nowS()), nowS()));
    }

    @Override
    public JobStatus pause(long id) {
        return ask(() -> answers.status(core.pause(id, "its user paused it", nowS()), nowS()));
    }

    @Override
    public JobStatus resume(long id) {
        return ask(() -> answers.status(core.resume(id, nowS()), nowS()));
    }

    @Override
    public LogPart log(long id, long fromByte) {
        FleetJob job = ask(() -> core.job(id));
        return answers.log(job, fromByte);
    }

    @Override
    public List<CurvePoint> curve(long id) {
        return HubCurves.of(ask(() -> core.job(id)));
    }

    @Override
    public FleetCounters counters() {
        return ask(counts::counters);
    }

    @Override
    public FleetStatus fleet() {
        return ask(() -> answers.fleet(nowS()));
    }

    @Override
    public List<Tenure> timeline(double sinceEpochS) {
        return ask(() -> core.state().tenures(sinceEpochS));
    }

    @Override
    public AgentOrders report(AgentReport report) {
        String refusal = Version.refusal(report.name(), report.build(), Version.build());
        if (refusal != null) {
            return new AgentOrders(List.of(), refusal.replace("the coordinator", "the hub"));
        }
        MachineReport said = Reports.checked(report);
        return ask(
                () ->
                        new AgentOrders(
                                core.report(said, nowS()).stream()
                                        .map(
                                                job ->
                                                        new AgentOrders.Service(
                                                                job.id(), job.run().address()))
                                        .toList(),
                                ""));
    }

    /** The hub ends; its jobs go on. */
    @Override
    public void close() {
        thread.shutdown();
        try {
            thread.awaitTermination(PATIENCE_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        journal.close();
    }
}
