package dev.medley.api;

import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.ConfigException;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.FamilyRules;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.job.TrainSpec.ParameterGroupSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.job.TrainSpec.StopSpec;
import dev.medley.base.job.Work;
import dev.medley.base.track.TrackSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.net.control.Message.FailureKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Trains models from Java, as {@code medley train} does from job files.
 *
 * <pre>{@code
 * Trainer trainer = Trainer.builder()
 *         .model(Models.cnn(32, 64))
 *         .strategy(DataParallel.workers(2))
 *         .optimizer(Adam.of(1e-3))
 *         .loss(Loss.crossEntropy())
 *         .build();
 * TrainedModel model = trainer.fit(Dataset.images(folder), Epochs.of(4));
 * }</pre>
 *
 * <p>The worker processes run with this program's class path, so they find the user's own classes.
 * A trainer is immutable and may train many times, also at the same time.
 */
public final class Trainer {
    private final Builder settings;

    private Trainer(Builder settings) {
        this.settings = settings;
    }

    /** A trainer of a multi-layer perceptron with one worker, until told otherwise. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Trains, and returns the best model by the first metric.
     *
     * @throws ConfigException if the settings or the data cannot be used; nothing was trained
     * @throws TrainingFailedException if training ended without a model
     */
    public TrainedModel fit(Dataset dataset, Budget budget) {
        RunResult result = run(dataset, budget);
        RunOutcome outcome = result.outcome();
        if (outcome.kind() != RunOutcome.Kind.COMPLETED) {
            FailureKind failure = outcome.failure();
            if (failure != null && failure.isOfInput()) {
                throw new ConfigException(outcome.why());
            }
            throw new TrainingFailedException(outcome.why(), result.folder().path());
        }
        return TrainedModel.load(result.folder().model());
    }

    /** Trains, and returns how it went, well or not. */
    public RunResult run(Dataset dataset, Budget budget) {
        return JobRun.train(job(dataset, budget), settings.options, settings.progress);
    }

    /** The whole job that {@link #fit} would run. */
    public JobSpec job(Dataset dataset, Budget budget) {
        TrainSpec train =
                new TrainSpec(
                        budget,
                        settings.batch,
                        settings.loss,
                        settings.optimizer,
                        settings.schedule,
                        settings.clipNorm,
                        settings.accumulate,
                        settings.precision,
                        settings.metrics,
                        settings.evaluateEverySteps,
                        settings.stop,
                        settings.groups,
                        List.of(),
                        settings.batches,
                        settings.threshold);
        return new JobSpec(
                settings.name,
                new Work.Gradient(
                        FamilyRules.data(settings.model, asCounts(dataset.spec())),
                        settings.model,
                        FamilyRules.train(settings.model, train),
                        settings.strategy.strategy()),
                settings.strategy.cluster(),
                settings.checkpoint,
                settings.seed,
                settings.track);
    }

    private DataSpec asCounts(DataSpec spec) {
        return settings.loss.kind() == LossKind.POISSON ? spec.ofCounts() : spec;
    }

    /** Collects settings; every one has a default. Not thread-safe. */
    public static final class Builder implements Cloneable {
        private String name = "run";
        private ModelSpec model = ModelSpec.Mlp.defaults();
        private Parallelism strategy = DataParallel.workers(1);
        private OptimizerSpec optimizer = OptimizerSpec.defaults(OptimizerSpec.Kind.ADAM);
        private ScheduleSpec schedule = ScheduleSpec.defaults();
        private LossSpec loss = LossSpec.auto();
        private Precision precision = Precision.FP32;
        private List<MetricSpec> metrics = List.of();
        private List<ParameterGroupSpec> groups = List.of();
        private StopSpec stop = StopSpec.never();
        private CheckpointSpec checkpoint = CheckpointSpec.defaults();
        private int batch = 128;
        private TrainSpec.BatchesSpec batches = TrainSpec.BatchesSpec.CONSTANT;
        private @Nullable ThresholdSpec threshold;
        private @Nullable TrackSpec track;
        private int accumulate = 1;
        private double clipNorm;
        private long evaluateEverySteps;
        private long seed = 1;
        private RunOptions options = RunOptions.defaults();
        private RunProgress progress = RunProgress.NONE;

        private Builder() {}

        /** Name of the run's folder. */
        public Builder name(String value) {
            name = value;
            return this;
        }

        /** What learns; see {@link Models}. */
        public Builder model(ModelSpec value) {
            model = value;
            return this;
        }

        /**
         * The workers that compute, and the strategy by which they exchange: see {@link
         * Parallelism}.
         */
        public Builder strategy(Parallelism value) {
            strategy = value;
            return this;
        }

        /**
         * How parameters follow the gradient; {@link Adam}, {@link AdamW}, {@link Sgd}, {@link
         * RmsProp}.
         */
        public Builder optimizer(OptimizerSpec value) {
            optimizer = value;
            return this;
        }

        /** How the learning rate changes. */
        public Builder schedule(ScheduleSpec value) {
            schedule = value;
            return this;
        }

        /** What is minimised; see {@link Loss}. */
        public Builder loss(LossSpec value) {
            loss = value;
            return this;
        }

        /** Arithmetic of forward and backward. */
        public Builder precision(Precision value) {
            precision = value;
            return this;
        }

        /** Samples of one step over all workers. */
        public Builder batch(int value) {
            batch = value;
            return this;
        }

        /**
         * Lets the batch grow up to {@code largest} where the gradient's noise and the machines'
         * speed ask for it; it begins with {@link #batch}, for which the learning rate is meant.
         */
        public Builder adaptiveBatch(int largest) {
            batches = new TrainSpec.BatchesSpec(largest, false);
            return this;
        }

        /** Micro-batches that one step is cut into, on every worker. */
        public Builder accumulate(int value) {
            accumulate = value;
            return this;
        }

        /** Largest norm of the global gradient; 0 for no limit. */
        public Builder clipNorm(double value) {
            clipNorm = value;
            return this;
        }

        /** What is reported; the first decides which model is best. */
        public Builder metrics(MetricSpec... values) {
            metrics = List.of(values);
            return this;
        }

        /** What the threshold between two classes is to maximise; it is kept with the model. */
        public Builder threshold(ThresholdSpec value) {
            threshold = value;
            return this;
        }

        /** Parameters that are treated differently. */
        public Builder groups(ParameterGroupSpec... values) {
            groups = List.of(values);
            return this;
        }

        /** When to end early. */
        public Builder stop(StopSpec value) {
            stop = value;
            return this;
        }

        /** Steps between evaluations; 0 for once an epoch. */
        public Builder evaluateEvery(long steps) {
            evaluateEverySteps = steps;
            return this;
        }

        /** When the state is saved. */
        public Builder checkpoint(CheckpointSpec value) {
            checkpoint = value;
            return this;
        }

        /** Who else is told of the run; nobody where it is null. */
        public Builder track(@Nullable TrackSpec value) {
            track = value;
            return this;
        }

        /** Seed of everything that is drawn. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** Where runs go, and what they begin from. */
        public Builder options(RunOptions value) {
            options = value;
            return this;
        }

        /** Watches the run. */
        public Builder progress(@Nullable RunProgress value) {
            progress = value == null ? RunProgress.NONE : value;
            return this;
        }

        /** A trainer with these settings. */
        public Trainer build() {
            return new Trainer(copy());
        }

        private Builder copy() {
            try {
                return (Builder) clone();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
