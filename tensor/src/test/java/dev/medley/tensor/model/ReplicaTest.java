package dev.medley.tensor.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.ParameterGroupSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.Span;
import dev.medley.tensor.Formula;
import dev.medley.tensor.Shapes;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.optimizer.Optimizer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ReplicaTest {
    private static final ModelSpec MLP =
            new ModelSpec.Mlp(List.of(16, 8), ModelSpec.Activation.RELU, 0);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    static Replica mlp(List<ParameterGroupSpec> groups) {
        return replica(MLP, Shapes.rows(20, 3), groups, Precision.FP32);
    }

    static Replica replica(
            ModelSpec model,
            Signature signature,
            List<ParameterGroupSpec> groups,
            Precision precision) {
        return Replica.build(
                model, LossSpec.auto(), groups, signature, ReplicaOptions.of(1, precision));
    }

    static Batch rows(long salt, int samples) {
        return Formula.batch(
                Formula.floats(salt, samples, 20), Formula.indices(salt + 1, 3, samples));
    }

    static float[] floats(Span span) {
        FloatBuffer buffer = span.buffer().asFloatBuffer();
        float[] values = new float[buffer.remaining()];
        buffer.get(values);
        return values;
    }

    @Test
    void shouldHaveThePeersParameterCounts() {
        try (Replica cnn =
                        replica(
                                ModelSpec.Cnn.defaults(),
                                Shapes.images(1, 28, 10),
                                List.of(),
                                Precision.FP32);
                Replica gpt =
                        replica(
                                ModelSpec.Transformer.defaults(),
                                Shapes.text(65, 128),
                                List.of(),
                                Precision.FP32)) {
            assertThat(cnn.layout().parameterCount()).isEqualTo(421_642);
            assertThat(gpt.layout().parameterCount()).isEqualTo(826_433);
            assertThat(cnn.layout().slots())
                    .extracting(Slot::name)
                    .containsExactly(
                            "0.weight",
                            "0.bias",
                            "3.weight",
                            "3.bias",
                            "7.weight",
                            "7.bias",
                            "9.weight",
                            "9.bias");
        }
    }

    @Test
    void shouldLearn() {
        try (Replica replica = mlp(List.of());
                Optimizer adam =
                        replica.optimizer(
                                OptimizerSpec.defaults(OptimizerSpec.Kind.ADAM)
                                        .withLearningRate(0.01))) {
            Batch batch = rows(7, 32);
            double first = Double.NaN;
            double last = Double.NaN;
            for (int step = 1; step <= 200; step++) {
                replica.zeroGradients();
                StepLoss loss = replica.forwardBackward(batch, step, ReadyListener.NONE);
                assertThat(loss.weight()).isEqualTo(32);
                last = loss.lossSum() / loss.weight();
                first = step == 1 ? last : first;
                adam.apply(1, loss.weight(), 1);
            }
            assertThat(last).isLessThan(0.1 * first);
            replica.requireFlat();
        }
    }

    @Test
    void shouldAnnounceEachGradientOnceAndOnlyWhenItIsFinal() {
        try (Replica replica = mlp(List.of())) {
            int slots = replica.layout().slots().size();
            List<Integer> order = new ArrayList<>();
            float[] seen = new float[slots];
            replica.zeroGradients();
            replica.forwardBackward(
                    rows(1, 8),
                    1,
                    slot -> {
                        order.add(slot);
                        seen[slot] = gradientSize(replica, slot);
                    });
            assertThat(order)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, slots).boxed().toList());
            assertThat(order.get(0)).isGreaterThanOrEqualTo(slots - 2);
            assertThat(order.get(slots - 1)).isLessThanOrEqualTo(1);
            for (int slot = 0; slot < slots; slot++) {
                assertThat(seen[slot]).isEqualTo(gradientSize(replica, slot)).isNotZero();
            }
        }
    }

    private static float gradientSize(Replica replica, int slot) {
        Slot place = replica.layout().slots().get(slot);
        float sum = 0;
        for (float value :
                floats(replica.gradients().slice(place.offset() * 4, place.count() * 4))) {
            sum += Math.abs(value);
        }
        return sum;
    }

    @Test
    void shouldGiveTheSameGradientInMicroBatches() {
        try (Replica replica = mlp(List.of())) {
            Batch batch = rows(3, 16);
            replica.zeroGradients();
            StepLoss whole = replica.forwardBackward(batch, 1, ReadyListener.NONE);
            float[] expected = floats(replica.gradients());
            replica.zeroGradients();
            StepLoss sum =
                    replica.forwardBackward(Formula.part(batch, 0, 8), 1, ReadyListener.NONE)
                            .plus(
                                    replica.forwardBackward(
                                            Formula.part(batch, 8, 8), 1, ReadyListener.NONE));
            float[] actual = floats(replica.gradients());
            assertThat(sum.lossSum()).isCloseTo(whole.lossSum(), within(1e-4));
            assertThat(sum.weight()).isEqualTo(16);
            for (int i = 0; i < expected.length; i++) {
                assertThat(actual[i]).isCloseTo(expected[i], within(2e-5f));
            }
        }
    }

    @Test
    void shouldGiveZeroForAnEmptyShare() {
        try (Replica replica = mlp(List.of())) {
            replica.zeroGradients();
            replica.forwardBackward(rows(3, 16), 1, ReadyListener.NONE);
            replica.zeroGradients();
            List<Integer> ready = new ArrayList<>();
            StepLoss none = replica.forwardBackward(Formula.part(rows(3, 16), 0, 0), 1, ready::add);
            assertThat(none).isEqualTo(StepLoss.NONE);
            assertThat(ready).hasSize(replica.layout().slots().size());
            assertThat(floats(replica.gradients())).containsOnly(0);
        }
    }

    @Test
    void aNumberShouldBeLearntInUnitsOfItsDeviationAndSaidInItsOwn() {
        Signature plain = Shapes.rows(20, TargetKind.VALUE);
        Signature inUnits =
                new Signature(
                        plain.inputs(), new Target(TargetKind.VALUE, 1, List.of(), 3000, 800));
        HostArray inputs = Formula.floats(1, 6, 20);
        HostArray small = Formula.floats(2, 6);
        HostArray large = Formula.floats(2, 6);
        FloatBuffer values = large.data().buffer().asFloatBuffer();
        for (int i = 0; i < 6; i++) {
            values.put(i, 3000 + 800 * values.get(i));
        }
        try (Replica standard = replica(MLP, plain, List.of(), Precision.FP32);
                Replica own = replica(MLP, inUnits, List.of(), Precision.FP32)) {
            StepLoss expected = step(standard, Formula.batch(inputs, small));
            StepLoss actual = step(own, Formula.batch(inputs, large));
            assertThat(actual.lossSum())
                    .isCloseTo(expected.lossSum(), within(1e-4 * expected.lossSum()));
            float[] gradients = floats(standard.gradients());
            float[] ownGradients = floats(own.gradients());
            for (int i = 0; i < gradients.length; i++) {
                assertThat(ownGradients[i]).isCloseTo(gradients[i], within(2e-3f));
            }
            FloatBuffer says =
                    standard.forward(Formula.batch(inputs, small)).data().buffer().asFloatBuffer();
            FloatBuffer saysInUnits =
                    own.forward(Formula.batch(inputs, large)).data().buffer().asFloatBuffer();
            for (int i = 0; i < 6; i++) {
                assertThat(saysInUnits.get(i)).isCloseTo(3000 + 800 * says.get(i), within(1e-2f));
            }
        }
    }

    private static StepLoss step(Replica replica, Batch batch) {
        replica.zeroGradients();
        return replica.forwardBackward(batch, 1, ReadyListener.NONE);
    }
}
