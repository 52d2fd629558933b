package dev.medley.training;

import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.MetricKind;
import dev.medley.base.job.TrainSpec.MetricSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.SpanHash;
import dev.medley.base.time.Clock;
import dev.medley.inference.metric.Metric;
import dev.medley.inference.metric.Metrics;
import dev.medley.net.membership.Seat;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.training.loop.StepSchedule;
import dev.medley.training.loop.TrainingState;
import dev.medley.training.loop.WorkerState;
import dev.medley.training.loop.WorkerState.Validation;
import dev.medley.training.strategy.EveryStep;
import dev.medley.training.strategy.GradientRule;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A worker's state that has all that a state can have: parameters, the running statistics of a
 * normalisation, and an optimizer's moments; and batches for its model.
 */
public final class GivenState {
    /** What the validation is judged by. */
    public static final Metric METRIC =
            Metrics.of(MetricSpec.of(MetricKind.RMSE), new Target(TargetKind.VALUE, 1, List.of()));

    private static final int SIDE = 4;

    private GivenState() {}

    /** What the model takes and gives. */
    public static Signature signature() {
        return new Signature(
                List.of(new Input("x", ElementType.FLOAT32, List.of(1, SIDE, SIDE), List.of())),
                new Target(TargetKind.VALUE, 1, List.of()));
    }

    /** The model. */
    public static ModelSpec model() {
        return new ModelSpec.Cnn(List.of(3), 3, List.of(5), true, 0);
    }

    /** A state of its own numbers, all of which follow from the seed. */
    public static WorkerState of(long seed, TrainSpec train, Seat seat, TrainingState run) {
        Replica replica =
                Replica.build(
                        model(),
                        LossSpec.auto(),
                        List.of(),
                        signature(),
                        ReplicaOptions.of(seed, Precision.FP32));
        WorkerState state =
                new WorkerState(
                        replica,
                        new EveryStep(
                                new GradientRule(
                                        replica,
                                        replica.optimizer(
                                                OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW)),
                                        train.clipNorm())),
                        new StepSchedule(train, 1000),
                        new Validation(10, List.of(METRIC)),
                        seat,
                        Clock.system(),
                        run);
        seat.hold(run.progress());
        RandomGenerator random = Seeds.generator(seed);
        state.spans().forEach(span -> fill(span, random));
        return state;
    }

    /** One hash a span, in order: equal if and only if all bits are. */
    public static List<String> hashes(WorkerState state) {
        return state.spans().stream()
                .map(span -> span.name() + " " + SpanHash.of(List.of(span.data())))
                .toList();
    }

    /** Samples for the model. */
    public static Batch batch(int samples, long seed) {
        RandomGenerator random = Seeds.generator(seed);
        HostArray x = HostArray.allocate(ElementType.FLOAT32, samples, 1, SIDE, SIDE);
        HostArray y = HostArray.allocate(ElementType.FLOAT32, samples);
        for (HostArray array : List.of(x, y)) {
            ByteBuffer values = array.data().buffer();
            for (int at = 0; at < values.capacity(); at += Float.BYTES) {
                values.putFloat(at, random.nextFloat());
            }
        }
        return new Batch(List.of(x), y, samples);
    }

    private static void fill(NamedSpan span, RandomGenerator random) {
        ByteBuffer values = span.data().buffer();
        if (span.type() == ElementType.INT64) {
            values.putLong(0, 1 + random.nextInt(100));
            return;
        }
        for (int at = 0; at < values.capacity(); at += Float.BYTES) {
            values.putFloat(at, 0.1f + random.nextFloat());
        }
    }
}
