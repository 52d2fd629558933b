package dev.medley.api.run;

import dev.medley.api.run.RunOptions.Offers;
import dev.medley.base.BatchSizes;
import dev.medley.base.Cursor;
import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.Json;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.time.Clock;
import dev.medley.control.launcher.JoinCommand;
import dev.medley.control.watch.RunOutcome;
import dev.medley.control.watch.RunWatcher;
import dev.medley.net.control.LinkBytes;
import dev.medley.net.control.Message;
import dev.medley.net.control.ProtocolException;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.link.RelayedBytes;
import dev.medley.net.membership.View;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.ClusterTable;
import dev.medley.profile.cluster.RouteReport;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.LinkTotals;
import dev.medley.record.entry.LinkTotals.Reach;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RelayTotals;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunEvent.Kind;
import dev.medley.record.entry.RunObserver;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RunRecorder;
import dev.medley.record.folder.WorkerNames;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.checkpoint.CheckpointSummary;
import dev.medley.training.loop.StepSchedule;
import dev.medley.training.worker.SavedRun;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Turns what the coordinator sees into the run's record, and shows each record to the observers.
 */
final class RecordingWatcher implements RunWatcher {
    private static final Logger LOG = LoggerFactory.getLogger(RecordingWatcher.class);
    private static final long WRITABLE_AGAIN_NS = TimeUnit.SECONDS.toNanos(10);

    /** Of others they do not know: who is lost, and when the run is over. */
    private static final Set<Kind> WORKERS_EVENTS =
            Set.of(Kind.CHECKPOINT, Kind.PRECISION, Kind.WARNING);

    private final RunRecorder recorder;
    private final List<RunObserver> observers;
    private final Clock clock;
    private final List<String> metrics;
    private final int firstLaunches;
    private final Offers offers;
    private final Map<Integer, Group> groups = new HashMap<>();
    private StepSchedule schedule;

    /** The present group, with what its sums follow. */
    private @Nullable View present;

    private WorkerNames names = WorkerNames.of(List.of());
    private long lastStep;
    private boolean recordFails;
    private long failedNs;

    /**
     * Writes what it sees with {@code recorder}.
     *
     * @param metrics names of those that each evaluation has, in order
     */
    RecordingWatcher(
            RunRecorder recorder,
            List<RunObserver> observers,
            StepSchedule schedule,
            List<String> metrics,
            int firstLaunches,
            Offers offers,
            Clock clock) {
        this.recorder = recorder;
        this.observers = List.copyOf(observers);
        this.schedule = schedule;
        this.metrics = List.copyOf(metrics);
        this.firstLaunches = firstLaunches;
        this.offers = offers;
        this.clock = clock;
    }

    /** A new run begins. */
    void started(int workers) {
        String message = "%d worker%s".formatted(workers, workers == 1 ? " is" : "s are");
        event(RunEvent.of(clock.wallMillis(), 0, Kind.STARTED, message + " started"));
    }

    /** A run goes on from its last checkpoint, the one after {@code step}. */
    void resumed(long step, int workers) {
        lastStep = step;
        String message =
                "resumed after %s %d with %d worker%s"
                        .formatted(schedule.word(), step, workers, workers == 1 ? "" : "s");
        event(RunEvent.of(clock.wallMillis(), step, Kind.RESUMED, message));
    }

    /** The strategy was chosen, and with it what a step is from now on. */
    void decided(StepSchedule chosen) {
        schedule = chosen;
    }

    /** How many samples steps have had, and have. */
    BatchSizes sizes() {
        return schedule.sizes();
    }

    @Override
    public void remarked(String message) {
        event(RunEvent.of(clock.wallMillis(), lastStep, Kind.PLAN, message));
    }

    @Override
    public void resized(WorkerId worker, String what) {
        event(RunEvent.ofWorker(clock.wallMillis(), lastStep, Kind.MACHINE, worker.value(), what));
    }

    @Override
    public void warned(String message) {
        event(RunEvent.of(clock.wallMillis(), lastStep, Kind.WARNING, message));
    }

    @Override
    public void listening(InetSocketAddress address) {
        String what =
                switch (offers) {
                    case AGENTS -> "machine";
                    case EXECUTORS -> "executor";
                    case PODS -> "pod";
                };
        String plural = firstLaunches == 1 ? "" : "s";
        String how = offers == Offers.AGENTS ? "; on each of them: " + JoinCommand.at(address) : "";
        String message = "waiting for %d %s%s%s".formatted(firstLaunches, what, plural, how);
        event(RunEvent.of(clock.wallMillis(), lastStep, Kind.MACHINE, message));
    }

    @Override
    public void machines(String what, List<String> names) {
        event(RunEvent.of(clock.wallMillis(), lastStep, Kind.MACHINE, what));
    }

    @Override
    public void surveyed(ClusterProfile cluster, String found) {
        warnIfUnwritten(recorder.cluster(cluster));
        String message =
                "ways measured: "
                        + ClusterTable.sentence(cluster)
                        + (found.isEmpty() ? "" : " (" + found + ")");
        event(RunEvent.of(clock.wallMillis(), lastStep, Kind.MACHINE, message));
    }

    @Override
    public void released(WorkerId worker, String why) {
        event(RunEvent.ofWorker(clock.wallMillis(), lastStep, Kind.LEFT, worker.value(), why));
    }

    @Override
    public void launched(int launch, LaunchCause why) {
        if (why == LaunchCause.RESTART) {
            event(
                    RunEvent.of(
                            clock.wallMillis(),
                            lastStep,
                            Kind.RESTARTED,
                            "worker-" + launch + " is started"));
        }
    }

    @Override
    public void ready(WorkerId worker, Message.Ready ready, Message.@Nullable Offer on) {
        List<WorkerRecord.Trial> tried =
                ready.tried().stream()
                        .map(t -> new WorkerRecord.Trial(t.samples(), t.ns()))
                        .toList();
        WorkerRecord record =
                new WorkerRecord(
                        clock.wallMillis(),
                        worker.value(),
                        ready.startUpNs(),
                        tried,
                        on == null ? null : on.name(),
                        on == null ? null : on.machine());
        warnIfUnwritten(recorder.worker(record));
        observers.forEach(o -> o.worker(record));
        names = names.with(worker.value(), on == null ? null : on.name());
        String message = "%s is ready after %.1f s".formatted(worker, ready.startUpNs() / 1e9);
        event(
                RunEvent.ofWorker(
                        clock.wallMillis(), lastStep, Kind.JOINED, worker.value(), message));
    }

    @Override
    public void lost(WorkerId worker, Fault fault) {
        event(
                RunEvent.ofWorker(
                        clock.wallMillis(), lastStep, Kind.LOST, worker.value(), fault.message()));
    }

    @Override
    public void carried(WorkerId worker, int epoch, List<LinkBytes> links) {
        Group group = groups.get(epoch);
        if (group == null || links.isEmpty()) {
            return;
        }
        String here = group.members().get(group.rankOf(worker)).site();
        List<LinkTotals> totals = new ArrayList<>();
        for (LinkBytes link : links) {
            Member peer = group.members().get(link.rank());
            totals.add(
                    new LinkTotals(
                            worker.value(),
                            peer.worker().value(),
                            peer.site().equals(here) ? Reach.INSIDE_SITE : Reach.BETWEEN_SITES,
                            link.sentBytes(),
                            link.sentBytes() + link.sparedBytes()));
        }
        recorder.links(totals);
        observers.forEach(o -> o.links(totals));
    }

    @Override
    public void relayed(WorkerId worker, int epoch, List<RelayedBytes> bytes) {
        Group group = groups.get(epoch);
        if (group != null) {
            recorder.relayed(bytes.stream().map(each -> total(worker, group, each)).toList());
        }
    }

    private static RelayTotals total(WorkerId relay, Group group, RelayedBytes bytes) {
        return new RelayTotals(
                relay.value(),
                group.members().get(bytes.fromRank()).worker().value(),
                group.members().get(bytes.toRank()).worker().value(),
                bytes.bytes());
    }

    @Override
    public void formed(View view) {
        groups.put(view.group().epoch(), view.group());
        warnIfUnwritten(recorder.wentBackTo(view.committed().step()));
        long from = view.committed().step() + 1;
        schedule = schedule.with(schedule.sizes().from(from, view.plan().globalBatch()));
        recordPlan(view);
        event(RunEvent.of(clock.wallMillis(), view.committed().step(), Kind.PLAN, sentence(view)));
    }

    /**
     * The state holds steps that the record lacks, since whoever told of them was killed: the
     * checkpoint that it comes from has their figures, or they are counted as missing. Not before a
     * later step is there, or the end: until then a member of the group before may tell of them.
     */
    private void fillUpTo(long applied) {
        if (recorder.lastStep() >= applied) {
            return;
        }
        CheckpointStore.said(recorder.folder().checkpoints(), applied)
                .ifPresent(said -> fillFrom(said, applied));
        lacksUpTo(applied);
    }

    private void fillFrom(CheckpointSummary checkpoint, long applied) {
        SavedRun saved = SavedRun.of(checkpoint.extra());
        for (WorkerStep step : saved.steps()) {
            if (step.step() > recorder.lastStep() && step.step() <= applied) {
                lacksUpTo(step.step() - 1);
                record(checkpoint.epoch(), Map.of(new WorkerId(saved.worker()), step));
            }
        }
        saved.evaluations().stream()
                .filter(evaluation -> evaluation.step() <= applied)
                .filter(this::hasUsualMetrics)
                .forEach(this::evaluated);
    }

    private void lacksUpTo(long step) {
        long samples = samplesUpTo(step) - samplesUpTo(recorder.lastStep());
        recorder.lacks(step, samples);
    }

    private long samplesUpTo(long step) {
        Cursor next = schedule.cursor(step + 1);
        return next.epoch() * schedule.samplesPerEpoch() + next.position();
    }

    private void recordPlan(View view) {
        present = view;
        List<Integer> workers =
                view.group().members().stream().map(Member::worker).map(WorkerId::value).toList();
        PlanRecord plan =
                new PlanRecord(
                        clock.wallMillis(),
                        view.committed().step() + 1,
                        view.group().epoch(),
                        workers,
                        view.plan(),
                        view.group().members().stream().map(Member::site).toList(),
                        view.strategy());
        recorder.plan(plan);
        observers.forEach(o -> o.plan(plan));
    }

    /**
     * What a group measured is part of its plan: the line that holds is the one with it. All its
     * members say it; the first that is heard is enough.
     */
    private void routed(RouteReport report) {
        View view = present;
        if (view != null && view.group().epoch() == report.epoch() && view.plan().route() == null) {
            recordPlan(view.along(report.route()));
            String message = "group %d: %s".formatted(report.epoch(), report.route().why());
            event(RunEvent.of(clock.wallMillis(), lastStep, Kind.PLAN, message));
        }
    }

    @Override
    public void stepped(int epoch, Map<WorkerId, WorkerStep> steps) {
        steps.values().stream().findAny().ifPresent(any -> fillUpTo(any.step() - 1));
        record(epoch, steps);
    }

    private void record(int epoch, Map<WorkerId, WorkerStep> steps) {
        List<WorkerTimes> times = new ArrayList<>();
        long slowestNs = 0;
        WorkerStep any = null;
        for (Map.Entry<WorkerId, WorkerStep> entry : steps.entrySet()) {
            any = entry.getValue();
            slowestNs = Math.max(slowestNs, any.stepNs());
            times.add(times(entry.getKey(), any));
        }
        if (any == null) {
            return;
        }
        lastStep = any.step();
        StepRecord record =
                new StepRecord(
                        any.step(),
                        schedule.cursor(any.step()).epoch(),
                        epoch,
                        any.planVersion(),
                        any.loss(),
                        any.learningRate(),
                        any.gradientNorm(),
                        any.samples(),
                        any.wallMillis(),
                        slowestNs,
                        times,
                        any.noise());
        warnIfUnwritten(recorder.step(record));
        observers.forEach(o -> o.step(record));
    }

    @Override
    public void hashed(long step, String parameterHash) {
        String message =
                "all members hold parameters "
                        + parameterHash
                        + " after "
                        + schedule.word()
                        + " "
                        + step;
        event(RunEvent.withValue(clock.wallMillis(), step, Kind.EPOCH, parameterHash, message));
    }

    @Override
    public void noted(WorkerId worker, String kind, JsonNode value) {
        if (kind.equals("evaluation")) {
            EvaluationRecord evaluation = Json.bindWhole(value, EvaluationRecord.class);
            ProtocolException.check(
                    hasUsualMetrics(evaluation),
                    "%s evaluated %s and not %s",
                    worker,
                    names(evaluation),
                    metrics);
            evaluated(evaluation);
        } else if (kind.equals(EvaluationReport.KIND)) {
            warnIfUnwritten(
                    recorder.evaluationReport(Json.bindWhole(value, EvaluationReport.class)));
        } else if (kind.equals(RouteReport.KIND)) {
            routed(Json.bindWhole(value, RouteReport.class));
        } else {
            RunEvent event = Json.bindWhole(value, RunEvent.class);
            Kind of = event.kind();
            ProtocolException.check(
                    WORKERS_EVENTS.contains(of),
                    "%s tells of %s, which workers do not",
                    worker,
                    of);
            event(event);
        }
    }

    private boolean hasUsualMetrics(EvaluationRecord evaluation) {
        return names(evaluation).equals(metrics);
    }

    private static List<String> names(EvaluationRecord evaluation) {
        return evaluation.metrics().stream().map(MetricValue::name).toList();
    }

    /** Whoever follows a lost worker says again what that one may not have said. */
    private void evaluated(EvaluationRecord evaluation) {
        if (evaluation.step() > recorder.lastEvaluatedStep()) {
            warnIfUnwritten(recorder.evaluation(evaluation));
            observers.forEach(o -> o.evaluation(evaluation));
        }
    }

    @Override
    public void ended(RunOutcome outcome) {
        fillUpTo(outcome.step());
        Kind kind = outcome.kind() == RunOutcome.Kind.FAILED ? Kind.FAILED : Kind.ENDED;
        event(RunEvent.of(clock.wallMillis(), outcome.step(), kind, outcome.why()));
    }

    private void event(RunEvent about) {
        RunEvent event = about.saying(names.in(about.message()));
        warnIfUnwritten(recorder.event(event));
        observers.forEach(o -> o.event(event));
    }

    /**
     * Training goes on without a line of its record; the log says so when that begins, and when it
     * has been over for a while: a full disk takes a short line now and then.
     */
    private void warnIfUnwritten(@Nullable Fault fault) {
        if (fault != null) {
            if (!recordFails) {
                LOG.warn("{}", fault.message());
            }
            recordFails = true;
            failedNs = clock.nowNs();
        } else if (recordFails && clock.nowNs() - failedNs > WRITABLE_AGAIN_NS) {
            LOG.warn("the run's record can be written again");
            recordFails = false;
        }
        if (recorder.takeRemoved()) {
            warned(
                    "the run's folder %s was removed while the run goes on: it is made again with the"
                                    .formatted(recorder.folder().path().toAbsolutePath())
                            + " whole record; the checkpoints that were in it are lost");
        }
    }

    private static WorkerTimes times(WorkerId worker, WorkerStep step) {
        return new WorkerTimes(
                worker.value(),
                step.share(),
                step.computeNs(),
                step.exchangeNs(),
                step.waitingNs(),
                step.dataNs(),
                step.bytesSent(),
                step.residentBytes());
    }

    private String sentence(View view) {
        String who = view.group().size() == 1 ? "1 worker" : view.group().size() + " workers";
        String behind =
                view.behind().isEmpty()
                        ? ""
                        : "; " + view.behind().size() + " of them copy the state first";
        return "group %d of %s begins after %s %d%s: %s"
                .formatted(
                        view.group().epoch(),
                        who,
                        schedule.word(),
                        view.committed().step(),
                        behind,
                        view.plan().why());
    }
}
