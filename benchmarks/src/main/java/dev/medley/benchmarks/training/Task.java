package dev.medley.benchmarks.training;

import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.DataSpec.CacheSpec;
import dev.medley.base.job.DataSpec.ImageSpec;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.OptimizerSpec.Kind;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.job.TrainSpec.StopSpec;
import dev.medley.base.job.Work;
import dev.medley.base.strategy.StrategySpec;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The peer's tasks as Medley's jobs: the very same models, optimizers, batches and data. */
enum Task {
    FASHION_CNN("fashion-cnn", 256, 0.88, 200),
    SHAKESPEARE_GPT("shakespeare-gpt", 32, 2.10, 60);

    /** Where throughput is measured, both sides evaluate at the end alone. */
    private static final int NEVER = 1_000_000;

    final String peerName;
    final int batch;
    final double target;

    /** The first ten seconds or so: by then the JVM has compiled what it compiles. */
    final int warmSteps;

    Task(String peerName, int batch, double target, int warmSteps) {
        this.peerName = peerName;
        this.batch = batch;
        this.target = target;
        this.warmSteps = warmSteps;
    }

    /** A job of so many steps, or up to the target. */
    JobSpec job(
            Path shared,
            int workers,
            int batchSize,
            Precision precision,
            long steps,
            @Nullable Double stopAt,
            int seed) {
        TrainSpec train =
                new TrainSpec(
                        new Budget(0, steps, 0),
                        batchSize,
                        LossSpec.auto(),
                        optimizer(),
                        ScheduleSpec.defaults(),
                        0,
                        1,
                        precision,
                        List.of(
                                MetricSpec.of(
                                        this == FASHION_CNN
                                                ? MetricKind.ACCURACY
                                                : MetricKind.LOSS)),
                        stopAt == null ? NEVER : 50,
                        new StopSpec(stopAt, 0, 0),
                        List.of(),
                        List.of());
        ClusterSpec defaults = ClusterSpec.ofWorkers(workers);
        ClusterSpec cluster =
                new ClusterSpec(
                        workers,
                        1,
                        List.of(),
                        List.of(),
                        defaults.heartbeatNs(),
                        defaults.peerTimeoutNs(),
                        defaults.stepTimeoutNs(),
                        0,
                        null);
        return new JobSpec(
                peerName,
                new Work.Gradient(
                        data(shared),
                        this == FASHION_CNN
                                ? ModelSpec.Cnn.defaults()
                                : ModelSpec.Transformer.defaults(),
                        train,
                        StrategySpec.defaults()),
                cluster,
                new CheckpointSpec(0, 0, 1),
                seed);
    }

    private OptimizerSpec optimizer() {
        return this == FASHION_CNN
                ? OptimizerSpec.defaults(Kind.ADAM)
                : new OptimizerSpec(Kind.ADAMW, 1e-3, 0, false, 0.9, 0.99, 1e-8, 0.01);
    }

    private DataSpec data(Path shared) {
        boolean images = this == FASHION_CNN;
        Path files =
                shared.resolve(
                        images ? "data/fashion-mnist/idx" : "data/tiny-shakespeare/input.txt.gz");
        SplitSpec split =
                images
                        ? new SplitSpec(SplitKind.RANDOM, 0, null)
                        : new SplitSpec(SplitKind.TAIL, 0.1, null);
        return new DataSpec(
                images ? DataFormat.IDX : DataFormat.TEXT,
                List.of(files.toString()),
                List.of(),
                null,
                split,
                TableSpec.defaults(),
                ImageSpec.defaults(),
                new TextSpec(TextUnit.CHARACTERS, 128, 1, List.of("*")),
                CacheSpec.defaults(),
                2,
                null);
    }
}
