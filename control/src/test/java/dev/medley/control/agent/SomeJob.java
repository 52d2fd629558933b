package dev.medley.control.agent;

import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.Work;
import dev.medley.base.strategy.StrategySpec;
import java.util.List;

/** A job that nobody trains. */
final class SomeJob {
    private SomeJob() {}

    static JobSpec ofBatch(int batch) {
        DataSpec data =
                new DataSpec(
                        DataFormat.AUTO,
                        List.of("/x/a.csv"),
                        List.of(),
                        "y",
                        DataSpec.SplitSpec.defaults(),
                        DataSpec.TableSpec.defaults(),
                        DataSpec.ImageSpec.defaults(),
                        DataSpec.TextSpec.defaults(),
                        DataSpec.CacheSpec.defaults(),
                        2,
                        null);
        TrainSpec train =
                new TrainSpec(
                        TrainSpec.Budget.ofEpochs(2),
                        batch,
                        TrainSpec.LossSpec.auto(),
                        OptimizerSpec.defaults(OptimizerSpec.Kind.ADAM),
                        ScheduleSpec.defaults(),
                        0,
                        1,
                        TrainSpec.Precision.FP32,
                        List.of(),
                        0,
                        TrainSpec.StopSpec.never(),
                        List.of(),
                        List.of());
        return new JobSpec(
                "some",
                new Work.Gradient(data, ModelSpec.Mlp.defaults(), train, StrategySpec.defaults()),
                ClusterSpec.ofWorkers(1),
                CheckpointSpec.defaults(),
                1);
    }
}
