package dev.medley.training.worker;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.OptimizerSpec.QuasiNewton;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.shard.BlockOrigin;
import dev.medley.inference.metric.EvaluationBlocks;
import dev.medley.inference.metric.Metric;
import dev.medley.inference.metric.Metrics;
import dev.medley.net.membership.Seat;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.checkpoint.Checkpoint;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.checkpoint.LatestCheckpoint;
import dev.medley.tensor.Torch;
import dev.medley.tensor.convex.LinearLearner;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.training.evaluation.GroupEvaluator;
import dev.medley.training.loop.StepSchedule;
import dev.medley.training.loop.Strategies;
import dev.medley.training.loop.TrainingState;
import dev.medley.training.loop.WorkerState;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data, the state and the evaluation of a worker that is ready.
 *
 * @param data to learn from
 * @param learner what learns
 * @param state model, optimizer and progress
 * @param evaluation of the validation samples
 */
record ReadyWorker(
        TrainingData data, Learner learner, WorkerState state, GradientTask.Evaluation evaluation) {
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
        Learner learner = learner(assignment);
        List<Metric> metrics =
                job.train().metricsFor(signature.target().kind()).stream()
                        .map(spec -> Metrics.of(spec, signature.target()))
                        .toList();
        WorkerState state =
                new WorkerState(
                        learner,
                        Strategies.of(job, learner),
                        StepSchedule.of(job, data.trainSamples()),
                        new WorkerState.Validation(data.validationSamples(), metrics),
                        seat,
                        clock,
                        TrainingState.START);
        begin(assignment, learner, state);
        seat.hold(state.state().progress());
        EvaluationBlocks blocks = EvaluationBlocks.of(data.validationSamples(), signature, metrics);
        GroupEvaluator evaluator =
                new GroupEvaluator(blocks, signature.target().kind(), data::validation);
        return new ReadyWorker(
                data, learner, state, new GradientTask.Evaluation(evaluator, blocks.values()));
    }

    /** Where a step takes all samples a linear model in double precision, else a replica. */
    private static Learner learner(Assignment assignment) {
        JobSpec job = assignment.job();
        Signature signature = assignment.data().signature();
        QuasiNewton quasiNewton = job.train().optimizer().quasiNewton();
        if (quasiNewton != null) {
            return new LinearLearner(lossOf(assignment), signature, quasiNewton.l1() == 0);
        }
        return Replica.build(
                job.model(),
                lossOf(assignment),
                job.train().groups(),
                signature,
                ReplicaOptions.of(job.seed(), job.train().precision()));
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

    private static void begin(Assignment assignment, Learner learner, WorkerState state) {
        Path checkpoints = new RunFolder(Path.of(assignment.runFolder())).checkpoints();
        LatestCheckpoint newest = CheckpointStore.latest(checkpoints);
        newest.warnings().forEach(warning -> LOG.warn("{}", warning));
        Optional<Checkpoint> latest = newest.usable();
        if (latest.isPresent()) {
            restore(latest.get(), state);
        } else if (assignment.initialWeights() != null) {
            check(
                    learner instanceof Replica,
                    "train.optimizer=lbfgs begins at 0 whatever the model that it is given: leave"
                            + " --init out");
            assignment.initialWeights().load((Replica) learner);
        }
    }

    private static void restore(Checkpoint checkpoint, WorkerState state) {
        for (NamedSpan live : state.spans()) {
            if (!checkpoint.holds(live.name()) && state.isOfStrategy(live)) {
                continue; // Another strategy ran when it was saved: this one begins anew.
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
        state.move(SavedRun.of(checkpoint).state());
    }
}
