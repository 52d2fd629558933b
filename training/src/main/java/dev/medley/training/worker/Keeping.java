package dev.medley.training.worker;

import dev.medley.base.Clock;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.exchange.Collective;
import dev.medley.net.control.Message;
import dev.medley.net.membership.View;
import dev.medley.profile.record.ConfusionMatrix;
import dev.medley.profile.record.EvaluationRecord;
import dev.medley.profile.record.MetricValue;
import dev.medley.profile.record.MetricValue.Better;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunFolder;
import dev.medley.store.checkpoint.CheckpointState;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.checkpoint.Staging;
import dev.medley.store.checkpoint.WriteResult;
import dev.medley.training.evaluation.Evaluation;
import dev.medley.training.evaluation.Metric;
import dev.medley.training.loop.WorkerState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the member of rank 0 keeps of a run: checkpoints, the best model, the outcomes of
 * evaluations. The others hold the same numbers and keep quiet.
 */
final class Keeping implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Keeping.class);
    private static final long LAST_WRITE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);

    private final Assignment assignment;
    private final CheckpointSpec spec;
    private final WorkerState state;
    private final List<Metric> metrics;
    private final WorkerSession session;
    private final Runnable tell;
    private final Delivery delivery;
    private final Clock clock;
    private final long budgetNs;
    private final BestModel best;

    private @Nullable CheckpointStore checkpoints;
    private @Nullable View view;
    private boolean isKeeper;
    private boolean isDue;
    private boolean isUnsoundSaid;
    private long beganNs;
    private long savedNs;
    private long savedStep;
    private long stagingNs;

    /**
     * Keeps nothing before a group has formed.
     *
     * @param tell says what the steps until now were: before each checkpoint, so that a run that
     *     goes on from it, whoever was killed meanwhile, has them in its record
     */
    Keeping(
            Assignment assignment,
            Loaded loaded,
            WorkerSession session,
            Runnable tell,
            Delivery delivery,
            Clock clock) {
        this.assignment = assignment;
        this.spec = assignment.job().checkpoint();
        this.state = loaded.state();
        this.metrics = loaded.state().metrics();
        this.session = session;
        this.tell = tell;
        this.delivery = delivery;
        this.clock = clock;
        this.budgetNs = (long) (assignment.job().train().budget().seconds() * 1e9);
        this.best = new BestModel(assignment, loaded.state(), delivery, clock);
        this.savedStep = loaded.state().state().step();
    }

    /** A new group: rank 0 keeps from now on. */
    void formed(View newView, Collective collective) {
        view = newView;
        isKeeper = collective.rank() == 0;
        if (beganNs == 0) {
            beganNs = clock.nowNs();
            savedNs = beganNs;
        }
        if (isKeeper && checkpoints == null) {
            Path folder = new RunFolder(Path.of(assignment.runFolder())).checkpoints();
            checkpoints = new CheckpointStore(folder, spec.keep(), clock);
        }
    }

    /** Whether the run's time is used up; rank 0 decides. */
    boolean isTimeUp() {
        return isKeeper && budgetNs > 0 && clock.nowNs() - beganNs > budgetNs;
    }

    void evaluated(Evaluation evaluation, long durationNs) {
        if (!isKeeper) {
            return;
        }
        long step = state.state().step();
        Map<String, Double> figures = evaluation.figures();
        List<MetricValue> values = new ArrayList<>();
        for (Metric metric : metrics) {
            values.add(
                    new MetricValue(
                            metric.name(),
                            figures.getOrDefault(metric.name(), Double.NaN),
                            metric.isHigherBetter() ? Better.HIGHER : Better.LOWER));
        }
        var cursor = state.schedule().cursor(step + 1);
        long samples = cursor.epoch() * state.schedule().samplesPerEpoch() + cursor.position();
        note(
                "evaluation",
                new EvaluationRecord(
                        step,
                        (int) cursor.epoch(),
                        samples,
                        clock.wallMillis(),
                        durationNs,
                        evaluation.loss(),
                        confusion(evaluation),
                        values));
        String unsound = evaluation.trouble();
        if (unsound != null && !isUnsoundSaid) {
            warn(step, "validation: " + unsound);
        }
        isUnsoundSaid = unsound != null;
        if (state.state().isBest()) {
            best.offer(figures);
        }
    }

    private @Nullable ConfusionMatrix confusion(Evaluation evaluation) {
        List<String> classes = assignment.data().signature().target().labels();
        return evaluation.confusion().isEmpty()
                ? null
                : ConfusionMatrix.of(classes, evaluation.confusion());
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
        long step = state.state().step();
        if (checkpoints != null) {
            report(checkpoints.ended());
        }
        String trouble = best.trouble();
        if (trouble != null) {
            warn(step, trouble);
        }
        if (!isKeeper || step == savedStep) {
            return;
        }
        boolean bySteps =
                spec.everySteps() > 0 && state.schedule().completes(step, spec.everySteps());
        boolean byTime = spec.everyNs() > 0 && clock.nowNs() - savedNs >= spec.everyNs();
        isDue |= bySteps || byTime;
        // A checkpoint says which step was the best: its model has to be on the disk before, since
        // a run that goes on from here does not come by that step again.
        if (isDue && best.isKept()) {
            isDue = false;
            save(0);
        }
    }

    /** A checkpoint of the state as it is, written before this returns. */
    void saveNow() {
        if (checkpoints == null) {
            checkpoints =
                    new CheckpointStore(
                            new RunFolder(Path.of(assignment.runFolder())).checkpoints(),
                            spec.keep(),
                            clock);
        }
        if (state.state().step() > 0) {
            best.settle(); // Before the checkpoint that speaks of it, as at a border.
            save(LAST_WRITE_TIMEOUT_NS);
            report(checkpoints.finish(LAST_WRITE_TIMEOUT_NS));
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
                best.settle();
            }
        } catch (ConfigException e) {
            LOG.warn("{}", e.getMessage());
        }
    }

    /**
     * The end of the run, or of this worker: what is to be kept is on the disk when this returns.
     */
    void finish() {
        if (checkpoints != null) {
            report(checkpoints.finish(LAST_WRITE_TIMEOUT_NS));
            delivery.finish(LAST_WRITE_TIMEOUT_NS);
        }
        if (isKeeper && state.state().over() != null) {
            best.finish();
        } else if (isKeeper) {
            best.settle();
        }
    }

    @Override
    public void close() {
        best.close();
        if (checkpoints != null) {
            checkpoints.close();
        }
    }

    private void save(long timeoutNs) {
        CheckpointStore store = checkpoints;
        if (store == null) {
            return;
        }
        tell.run();
        int epoch = view == null ? 0 : view.group().epoch();
        int plan = view == null ? 0 : view.plan().version();
        CheckpointState saved =
                new CheckpointState(
                        state.state().step(), epoch, plan, state.spans(), Json.tree(state.state()));
        Staging staging = timeoutNs > 0 ? store.offerWaiting(saved, timeoutNs) : store.offer(saved);
        savedNs = clock.nowNs();
        if (staging.isStaged()) {
            savedStep = staging.step();
            stagingNs = staging.stagingNs();
        }
        report(staging.finished());
    }

    private void report(List<WriteResult> results) {
        for (WriteResult result : results) {
            if (result instanceof WriteResult.Written written) {
                long stagedNs = stagingNs;
                delivery.bringLater(
                        written.folder(),
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
                        delivery.kept(written.folder()).toString(),
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
