package dev.medley.training.worker;

import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.BlockOrigin;
import dev.medley.inference.explain.ReferenceSample;
import dev.medley.inference.metric.EvaluationBlocks;
import dev.medley.inference.metric.Metric;
import dev.medley.inference.metric.Metrics;
import dev.medley.inference.report.ReportParts;
import dev.medley.net.membership.Seat;
import dev.medley.profile.system.Allowance;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.checkpoint.Checkpoint;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.checkpoint.LatestCheckpoint;
import dev.medley.tensor.Torch;
import dev.medley.training.evaluation.GroupEvaluator;
import dev.medley.training.loop.StepSchedule;
import dev.medley.training.loop.TrainingState;
import dev.medley.training.loop.WorkerState;
import dev.medley.training.resize.ResizeWatch;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data, the state and the evaluation of a worker that is ready.
 *
 * @param data to learn from
 * @param kind makes what the job needs of its kind of model
 * @param state model, optimizer and progress
 * @param evaluation of the validation samples
 * @param reference of its columns, from the samples that it is judged by; null for none
 * @param resizes of what this process may use; null where the job says how many threads it has
 */
record ReadyWorker(
        TrainingData data,
        ModelKind kind,
        WorkerState state,
        GradientTask.Evaluation evaluation,
        @Nullable ReferenceSample reference,
        @Nullable ResizeWatch resizes) {
    private static final Logger LOG = LoggerFactory.getLogger(ReadyWorker.class);

    /**
     * Opens the data and builds the model, with the state of the run's last checkpoint if there is
     * one.
     *
     * @param origin of what is not there of the data
     */
    static ReadyWorker load(Assignment assignment, BlockOrigin origin, Seat seat, Clock clock) {
        JobSpec job = assignment.job();
        Torch.start(threads(job));
        TrainingData data = TrainingData.open(assignment.data(), job.seed(), clock, origin);
        Signature signature = assignment.data().signature();
        ModelKind kind = ModelKind.of(assignment, data, threads(job));
        List<Metric> metrics =
                job.train().metricsFor(signature.target()).stream()
                        .map(spec -> Metrics.of(spec, signature.target()))
                        .toList();
        WorkerState state =
                new WorkerState(
                        kind.learner(),
                        kind.strategy(job),
                        StepSchedule.of(job, data.trainSamples()),
                        new WorkerState.Validation(data.validationSamples(), metrics),
                        seat,
                        clock,
                        TrainingState.START);
        begin(assignment, kind, state);
        seat.hold(state.state().progress());
        EvaluationBlocks blocks =
                EvaluationBlocks.of(
                        data.validationSamples(),
                        signature,
                        metrics,
                        Metrics.areOfRankings(metrics)
                                ? List.of()
                                : ReportParts.choosing(
                                        signature,
                                        data.validationSamples(),
                                        job.train().threshold()));
        ReferenceSample reference = reference(assignment);
        GroupEvaluator evaluator =
                new GroupEvaluator(
                        blocks,
                        signature.target().kind(),
                        (from, to) -> {
                            Batch samples = data.validation(from, to);
                            if (reference != null) {
                                reference.seen(samples);
                            }
                            return samples;
                        });
        return new ReadyWorker(
                data,
                kind,
                state,
                new GradientTask.Evaluation(evaluator, blocks.values()),
                reference,
                job.cluster().threads() > 0 ? null : resizes(kind, clock));
    }

    private static @Nullable ReferenceSample reference(Assignment assignment) {
        return assignment.data().encoding() instanceof TableEncoding table
                        && ReferenceSample.isFor(assignment.job().model())
                ? new ReferenceSample(table, assignment.job().seed())
                : null;
    }

    private static ResizeWatch resizes(ModelKind kind, Clock clock) {
        return new ResizeWatch(
                Allowance.ofThisProcess(),
                Allowance.atStart(),
                Torch.threadsGiven(),
                new ResizeWatch.Kernels(
                        Torch::kernelKey,
                        threads -> {
                            Torch.start(threads);
                            kind.learner().useThreads(threads);
                            LOG.info("computes by {}", Torch.kernelKey());
                        }),
                clock);
    }

    /** The job's loss with what each class weighs in this data. */
    static LossSpec lossOf(Assignment assignment) {
        return assignment
                .job()
                .train()
                .loss()
                .of(
                        assignment.data().signature().target(),
                        assignment.data().findings().classCounts());
    }

    /**
     * Machines that join have other numbers of cores than the coordinator's: there a worker has as
     * many threads as its agent started it with.
     */
    private static int threads(JobSpec job) {
        int threads = job.cluster().threads();
        return threads > 0 ? threads : Torch.threadsGiven();
    }

    private static void begin(Assignment assignment, ModelKind kind, WorkerState state) {
        Path checkpoints = new RunFolder(Path.of(assignment.runFolder())).checkpoints();
        LatestCheckpoint newest = CheckpointStore.latest(checkpoints);
        newest.warnings().forEach(warning -> LOG.warn("{}", warning));
        Optional<Checkpoint> latest = newest.usable();
        InitialWeights initial = assignment.initialWeights();
        // A checkpoint holds what is learnt, and not what adapters are added to.
        boolean isAdapted =
                assignment.job().model() instanceof ModelSpec.Pretrained model
                        && model.lora() != null;
        if (initial != null && (latest.isEmpty() || isAdapted)) {
            kind.load(initial.read());
        }
        if (latest.isPresent()) {
            restore(latest.get(), state);
        }
    }

    private static void restore(Checkpoint checkpoint, WorkerState state) {
        for (NamedSpan live : state.spans()) {
            if (!checkpoint.holds(live.name()) && state.isOfStrategy(live)) {
                continue; // Another strategy ran when it was saved: this one begins anew.
            }
            NamedSpan saved = checkpoint.span(live.name());
            state.resize(live.name(), saved.data().bytes());
        }
        for (NamedSpan live : state.spans()) {
            if (!checkpoint.holds(live.name()) && state.isOfStrategy(live)) {
                continue;
            }
            NamedSpan saved = checkpoint.span(live.name());
            if (saved.data().bytes() != live.data().bytes()) {
                throw new ConfigException(
                        "%s: %s has %d bytes, this job's model needs %d: resume with the run's own job"
                                .formatted(
                                        checkpoint.folder(),
                                        live.name(),
                                        saved.data().bytes(),
                                        live.data().bytes()));
            }
            live.data().copyFrom(saved.data());
        }
        state.load(SavedRun.of(checkpoint).state());
    }
}
