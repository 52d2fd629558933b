package dev.medley.training.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.WorkerId;
import dev.medley.base.evaluation.ConfusionMatrix;
import dev.medley.base.evaluation.DecisionThreshold;
import dev.medley.base.evaluation.EvaluationReport;
import dev.medley.base.evaluation.ScoreCurves;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.time.Clock;
import dev.medley.exchange.Collective;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.metric.Metric;
import dev.medley.inference.model.Coefficients;
import dev.medley.inference.report.ReportParts;
import dev.medley.net.control.KeptState;
import dev.medley.net.control.Message;
import dev.medley.net.control.WorkerStep;
import dev.medley.net.membership.Progress;
import dev.medley.net.membership.View;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.MetricValue.Better;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.checkpoint.CheckpointState;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.checkpoint.OfferOutcome;
import dev.medley.store.checkpoint.WriteResult;
import dev.medley.training.loop.WorkerState;
import dev.medley.training.worker.RunModel.Judged;
import dev.medley.worker.Delivery;
import dev.medley.worker.WorkerSession;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps checkpoints, the best model and the outcomes of evaluations of a run, on the member of rank
 * 0. The others hold the same numbers and keep quiet.
 */
final class Keeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Keeping.class);
    private static final long LAST_WRITE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    /** Less than the coordinator waits for the checkpoint of an interrupted run. */
    private static final long LAST_CHECKPOINT_NS = TimeUnit.SECONDS.toNanos(90);

    /** Nobody sees orphans, so nobody makes room for them. */
    private static final long ORPHANS_NS = TimeUnit.SECONDS.toNanos(20);

    /** What the steps until now were. */
    interface Figures {
        /** Says it to the coordinator. */
        void tell();

        /** What the coordinator may not have recorded. */
        List<WorkerStep> unrecorded();
    }

    private final Assignment assignment;
    private final WorkerId self;
    private final ModelKind kind;
    private final CheckpointSpec spec;
    private final WorkerState state;
    private final List<Metric> metrics;
    private final WorkerSession session;
    private final Figures figures;
    private final Delivery delivery;
    private final Clock clock;
    private final BestModel best;
    private final Succession succession;
    private final TrainingTime time;
    private final OwnCheckpoints checkpoints;
    private final long loadedStep;

    /** Those that the coordinator may not have recorded. */
    private final List<EvaluationRecord> evaluations = new ArrayList<>();

    private @Nullable View view;
    private int rank;
    private boolean isKeeper;
    private boolean hasFallenSilent;
    private boolean isDue;
    private boolean isUnsoundSaid;
    private long savedNs;
    private long savedStep;
    private long stagingNs;

    /**
     * Keeps nothing before a group has formed.
     *
     * @param figures of the steps until now: told before each checkpoint and kept in it, so that a
     *     run that goes on from it, whoever was killed meanwhile, has them in its record
     */
    Keeping(
            Assignment assignment,
            WorkerId self,
            ReadyWorker loaded,
            WorkerSession session,
            Figures figures,
            Delivery delivery,
            Clock clock) {
        this.assignment = assignment;
        this.self = self;
        this.kind = loaded.kind();
        this.spec = assignment.job().checkpoint();
        this.state = loaded.state();
        this.metrics = loaded.state().metrics();
        this.session = session;
        this.figures = figures;
        this.delivery = delivery;
        this.clock = clock;
        this.best =
                new BestModel(
                        assignment, loaded.state(), loaded.reference(), delivery, clock, this::say);
        this.succession = new Succession(best, state, this::say);
        this.time = new TrainingTime(state, assignment.job().train().budget(), clock);
        Path folder = new RunFolder(Path.of(assignment.runFolder())).checkpoints();
        this.checkpoints = new OwnCheckpoints(folder, spec.keep(), clock, kind.memory(), this::say);
        this.loadedStep = state.state().step();
        this.savedStep = loadedStep;
    }

    /** A new group: rank 0 keeps from now on, and says again what its predecessor may not have. */
    void formed(View newView, Collective collective) {
        if (view == null) {
            savedNs = clock.nowNs();
        }
        view = newView;
        rank = collective.rank();
        time.formed(newView, rank);
        boolean isBehind = newView.behind().contains(rank);
        succession.formed(newView.group().epoch(), rank, isBehind);
        isKeeper = rank == 0;
        long committed = newView.committed().step();
        evaluations.removeIf(evaluation -> evaluation.step() > committed);
        if (isKeeper) {
            evaluations.forEach(evaluation -> note("evaluation", evaluation));
        }
        open(committed);
    }

    /**
     * What the members hold is worth more than checkpoints; before they hold anything it is not.
     */
    private void open(long committed) {
        if (isKeeper && committed <= loadedStep) {
            CheckpointStore unused = checkpoints.store();
        } else if (isKeeper) {
            boolean unused = checkpoints.canBeWritten();
        }
    }

    /** Whether the run's time is used up; rank 0 decides. */
    boolean isTimeUp() {
        return isKeeper && time.isUp();
    }

    void evaluated(Evaluation evaluation, long durationNs) {
        long step = state.state().step();
        Map<String, Double> outcome = evaluation.figures();
        List<MetricValue> values = new ArrayList<>();
        for (Metric metric : metrics) {
            values.add(
                    new MetricValue(
                            metric.name(),
                            outcome.getOrDefault(metric.name(), Double.NaN),
                            metric.isHigherBetter() ? Better.HIGHER : Better.LOWER));
        }
        var cursor = state.schedule().cursor(step + 1);
        long samples = cursor.epoch() * state.schedule().samplesPerEpoch() + cursor.position();
        EvaluationRecord record =
                new EvaluationRecord(
                        step,
                        (int) cursor.epoch(),
                        samples,
                        clock.wallMillis(),
                        durationNs,
                        evaluation.loss(),
                        confusion(evaluation),
                        values);
        evaluations.removeIf(before -> before.step() < session.recordedStep());
        evaluations.add(record);
        EvaluationReport report = reportOf(evaluation, step);
        succession.evaluated(rank, new Judged(outcome, thresholdOf(report)));
        if (!isKeeper) {
            return;
        }
        note("evaluation", record);
        if (report != null && !report.sections().isEmpty()) {
            note(EvaluationReport.KIND, report);
        }
        String unsound = evaluation.trouble();
        if (unsound != null && !isUnsoundSaid) {
            warn(step, "validation: " + unsound);
        }
        isUnsoundSaid = unsound != null;
    }

    /**
     * Of the best model so far, on the members that may have to keep it, and of one that may take
     * the place of a lost one; null elsewhere. It is the dearer the more samples there are.
     */
    private @Nullable EvaluationReport reportOf(Evaluation evaluation, long step) {
        boolean mayBeKept = state.state().isBest() || succession.isLost();
        if (rank > 1 || !mayBeKept || evaluation.trouble() != null) {
            return null;
        }
        String of = "Validation samples after %s %,d".formatted(state.schedule().word(), step);
        EvaluationReport report =
                kind.described(
                        ReportParts.report(evaluation, assignment.data().signature().target(), of));
        return Coefficients.of(
                        assignment.job().model(),
                        assignment.data().encoding(),
                        state.learner()::export)
                .map(coefficients -> report.with(coefficients.largest()))
                .orElse(report);
    }

    private static @Nullable DecisionThreshold thresholdOf(@Nullable EvaluationReport report) {
        return report == null
                ? null
                : report.section(ScoreCurves.class).map(ScoreCurves::chosen).orElse(null);
    }

    private @Nullable ConfusionMatrix confusion(Evaluation evaluation) {
        List<String> classes = assignment.data().signature().target().labels();
        return evaluation.confusion().isEmpty()
                ? null
                : ConfusionMatrix.of(classes, evaluation.confusion());
    }

    private SavedRun saved() {
        return new SavedRun(state.state(), self.value(), figures.unrecorded(), evaluations);
    }

    void precisionRaised(long step) {
        if (isKeeper) {
            String why =
                    "losses in bf16 and fp32 differ by more than 2 % in step "
                            + step
                            + ": training goes on in fp32";
            note(
                    "event",
                    RunEvent.withValue(
                            clock.wallMillis(), step, RunEvent.Kind.PRECISION, "fp32", why));
        }
    }

    /** Between two steps: a checkpoint, if one is due. */
    void atBorder() {
        time.count();
        succession.atBorder();
        long step = state.state().step();
        report(checkpoints.ended());
        String trouble = best.trouble();
        if (trouble != null) {
            warn(step, trouble);
        }
        boolean isModelKept = best.isKept(); // Who had to keep one goes on with it.
        if (!isKeeper || step == savedStep) {
            return;
        }
        boolean bySteps =
                spec.everySteps() > 0 && state.schedule().completes(step, spec.everySteps());
        boolean byTime = spec.everyNs() > 0 && clock.nowNs() - savedNs >= spec.everyNs();
        isDue |= bySteps || byTime || isAlone();
        // A checkpoint says which step was the best: its model has to be on the disk before, since
        // a run that goes on from here does not come by that step again.
        if (isDue && isModelKept && checkpoints.canBeWritten()) {
            isDue = false;
            OfferOutcome unused =
                    save(0); // One that is left out is followed by the next that is due.
        }
    }

    /** Whether the coordinator has just fallen silent: it may never speak again. */
    private boolean isAlone() {
        boolean wasAlone = hasFallenSilent;
        hasFallenSilent = session.isCoordinatorSilent();
        return hasFallenSilent && !wasAlone;
    }

    /**
     * The coordinator is gone, and with it all that would be told or brought: what this worker
     * holds goes into a checkpoint on its own disk, where a run that is resumed finds it. Rank 0
     * writes; the others do where nobody else has in time, as when rank 0 is gone too. Trouble with
     * the disk is in the log.
     */
    void keepOrphaned() {
        delivery.giveUp();
        if (view == null || state.seat().progress().equals(Progress.NONE) || !state.hasAll()) {
            return;
        }
        long step = state.state().step();
        try {
            boolean isKeptElsewhere =
                    step == 0 || new Orphans(checkpoints.folder(), clock).keep(step, rank);
            if (!isKeptElsewhere && state.isFinite()) {
                keep(() -> false, LOG::warn, ORPHANS_NS);
                LOG.info("{} is kept", stateSoFar());
            }
        } catch (ConfigException e) {
            LOG.warn("what this worker held is lost: {}", e.getMessage());
        }
    }

    /** A checkpoint of the state as it is, written before this returns. */
    void saveNow() {
        if (state.state().step() > 0 && state.hasAll()) {
            keep(session::isAskedToHurry, this::say, LAST_CHECKPOINT_NS);
        }
    }

    private void keep(BooleanSupplier isUnwanted, Consumer<String> tell, long patienceNs) {
        BooleanSupplier isOver = orAfter(patienceNs, isUnwanted);
        last(isUnwanted, tell).write(stateSoFar(), folder -> keepIn(folder, isOver), patienceNs);
    }

    private BooleanSupplier orAfter(long patienceNs, BooleanSupplier isUnwanted) {
        long untilNs = clock.awakeNs() + patienceNs;
        return () -> isUnwanted.getAsBoolean() || clock.awakeNs() >= untilNs;
    }

    private LastWrite last(BooleanSupplier isUnwanted, Consumer<String> tell) {
        return new LastWrite(
                Path.of(assignment.runFolder()), assignment.rescue(), isUnwanted, tell, clock);
    }

    private String stateSoFar() {
        return "the state after step %d".formatted(state.state().step());
    }

    /** A checkpoint in the folder of the run, or in another one, written before this returns. */
    private void keepIn(Path folder, BooleanSupplier isOver) {
        RunFolder into = new RunFolder(folder);
        best.settleIn(into, isOver); // Before the checkpoint that speaks of it, as at a border.
        if (into.checkpoints().equals(checkpoints.folder())) {
            OfferOutcome staging = save(LAST_WRITE_TIMEOUT_NS);
            List<WriteResult> results = checkpoints.finish(LAST_WRITE_TIMEOUT_NS);
            report(results);
            requireStaged(staging);
            requireWritten(results);
            return;
        }
        try (CheckpointStore other =
                new CheckpointStore(into.checkpoints(), spec.keep(), clock, kind.memory())) {
            OfferOutcome staging = other.offerWaiting(checkpoint(), LAST_WRITE_TIMEOUT_NS);
            requireStaged(staging);
            requireWritten(other.finish(LAST_WRITE_TIMEOUT_NS));
        }
    }

    private static void requireStaged(OfferOutcome staging) {
        ConfigException.check(staging.isStaged(), "%s", staging.message());
    }

    private static void requireWritten(List<WriteResult> results) {
        for (WriteResult result : results) {
            if (result instanceof WriteResult.Failed failed) {
                throw new ConfigException(failed.fault().message());
            }
        }
    }

    /**
     * The run ends before a step that was not sound. The state is worth a checkpoint unless an
     * earlier update has spoilt it; trouble with the disk does not hide why the run ends.
     */
    void keepSound() {
        if (!isKeeper) {
            return;
        }
        try {
            if (state.isFinite()) {
                saveNow();
            } else {
                best.settle(orAfter(LAST_CHECKPOINT_NS, session::isAskedToHurry));
            }
        } catch (ConfigException e) {
            LOG.warn("{}", e.getMessage());
        }
    }

    /**
     * The end of the run, or of this worker: what is to be kept is on the disk when this returns. A
     * trained model is not given up because a disk is full: this waits until there is room.
     */
    void finish() {
        report(checkpoints.finish(LAST_WRITE_TIMEOUT_NS));
        delivery.finish(LAST_WRITE_TIMEOUT_NS);
        if (isKeeper && state.state().over() != null) {
            best.offerIfNone();
        }
        if (isKeeper || !best.isKept()) {
            long untilNs = clock.awakeNs() + LAST_WRITE_TIMEOUT_NS;
            BooleanSupplier isOver =
                    () ->
                            session.isAskedToHurry()
                                    || (session.isEndWanted() && clock.awakeNs() >= untilNs);
            last(session::isEndWanted, this::say)
                    .write(
                            "the trained model",
                            folder -> best.settleIn(new RunFolder(folder), isOver),
                            Long.MAX_VALUE / 2);
        }
    }

    private void say(String sentence) {
        LOG.warn("{}", sentence);
        warn(state.state().step(), sentence);
    }

    @Override
    public void close() {
        best.close();
        checkpoints.close();
    }

    private OfferOutcome save(long timeoutNs) {
        CheckpointStore store = checkpoints.store();
        figures.tell();
        CheckpointState saved = checkpoint();
        OfferOutcome staging =
                timeoutNs > 0 ? store.offerWaiting(saved, timeoutNs) : store.offer(saved);
        savedNs = clock.nowNs();
        if (staging.isStaged()) {
            savedStep = staging.step();
            stagingNs = staging.stagingNs();
        }
        report(staging.finished());
        return staging;
    }

    private CheckpointState checkpoint() {
        int plan = view == null ? 0 : view.plan().version();
        return new CheckpointState(
                state.state().step(), epoch(), plan, state.spans(), saved().json());
    }

    private int epoch() {
        return view == null ? 0 : view.group().epoch();
    }

    private void report(List<WriteResult> results) {
        for (WriteResult result : results) {
            if (result instanceof WriteResult.Written written) {
                written.notes().forEach(note -> warn(written.step(), note));
                long stagedNs = stagingNs;
                delivery.bringLater(
                        written.folder(),
                        new KeptState(epoch(), written.step(), null),
                        () -> kept(written, stagedNs),
                        why -> warn(written.step(), why));
            } else if (result instanceof WriteResult.Failed failed) {
                warn(failed.step(), failed.fault().message());
            }
        }
    }

    private void kept(WriteResult.Written written, long stagedNs) {
        note(
                "event",
                RunEvent.checkpoint(
                        clock.wallMillis(),
                        written.step(),
                        delivery.place(written.folder()).toString(),
                        stagedNs,
                        written.writingNs(),
                        written.bytes()));
    }

    private void warn(long step, String why) {
        note("event", RunEvent.of(clock.wallMillis(), step, RunEvent.Kind.WARNING, why));
    }

    private void note(String kind, Object value) {
        session.say(new Message.Noted(kind, Json.tree(value)));
    }
}
