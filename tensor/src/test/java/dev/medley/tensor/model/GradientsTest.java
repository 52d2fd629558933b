package dev.medley.tensor.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.OptimizerSpec.Kind;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec.ParameterGroupSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.Span;
import dev.medley.tensor.Shapes;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Initializer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Parameter;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.loss.LossFunctions;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class GradientsTest {
    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    /** Declares three layers and uses the first and the last. */
    private static final class Forgetful implements Network {
        private final Linear first = new Linear(20, 8);
        private final Linear unused = new Linear(5, 5);
        private final Linear last = new Linear(8, 3);

        @Override
        public void declare(Declaration declaration) {
            declaration.layer("first", first);
            declaration.layer("unused", unused);
            declaration.layer("last", last);
        }

        @Override
        public Tensor forward(List<Tensor> inputs, Pass pass) {
            return last.forward(first.forward(inputs.get(0), pass), pass);
        }
    }

    @Test
    void shouldGiveUnusedParametersZeroAndAnnounceThem() {
        try (Replica replica =
                Replica.of(
                        new Forgetful(),
                        LossFunctions.crossEntropy(),
                        Shapes.rows(20, 3),
                        ReplicaOptions.of(1, Precision.FP32))) {
            replica.gradients().buffer().asFloatBuffer().put(0, 7);
            for (Slot slot : replica.layout().slots()) {
                replica.gradients().buffer().asFloatBuffer().put((int) slot.offset(), 7);
            }
            List<Integer> ready = new ArrayList<>();
            replica.zeroGradients();
            replica.forwardBackward(ReplicaTest.rows(1, 8), 1, ready::add);
            assertThat(ready).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
            assertThat(ready.subList(4, 6)).containsExactlyInAnyOrder(2, 3);
            assertThat(gradient(replica, 2)).containsOnly(0);
            assertThat(gradient(replica, 3)).containsOnly(0);
            assertThat(gradient(replica, 0)).isNotEqualTo(new float[160]);
        }
    }

    /** One layer used twice, by the pass's products or by LibTorch's. */
    private static final class Twice implements Network {
        private final Pass.Products products;
        private final Parameter weight = Parameter.of(Initializer.uniform(0.5), 20, 20);
        private final Parameter bias = Parameter.of(Initializer.uniform(0.5), 20);

        Twice(Pass.Products products) {
            this.products = products;
        }

        @Override
        public void declare(Declaration declaration) {
            declaration.parameter("weight", weight);
            declaration.parameter("bias", bias);
        }

        @Override
        public Tensor forward(List<Tensor> inputs, Pass pass) {
            Pass.Products used = products == Pass.Products.PLAIN ? products : pass.products();
            Tensor once = used.linear(inputs.get(0), weight, bias);
            return used.linear(once.times(once), weight, bias);
        }
    }

    @Test
    void shouldSumTheUsesOfALayerBeforeItIsReady() {
        ReplicaOptions options = ReplicaOptions.of(1, Precision.FP64);
        Signature signature = Shapes.rows(20, 20);
        try (Replica direct =
                        Replica.of(
                                new Twice((x, w, b) -> x),
                                LossFunctions.crossEntropy(),
                                signature,
                                options);
                Replica plain =
                        Replica.of(
                                new Twice(Pass.Products.PLAIN),
                                LossFunctions.crossEntropy(),
                                signature,
                                options)) {
            for (int pass = 0; pass < 3; pass++) {
                List<Integer> ready = new ArrayList<>();
                List<double[]> seen = new ArrayList<>();
                direct.zeroGradients();
                direct.forwardBackward(
                        ReplicaTest.rows(1, 8),
                        1,
                        slot -> {
                            ready.add(slot);
                            seen.add(doubles(direct.gradients()));
                        });
                plain.zeroGradients();
                plain.forwardBackward(ReplicaTest.rows(1, 8), 1, ReadyListener.NONE);
                assertThat(ready).containsExactlyInAnyOrder(0, 1);
                double[] expected = doubles(plain.gradients());
                for (int i = 0; i < expected.length; i++) {
                    assertThat(seen.get(0)[i]).isCloseTo(expected[i], within(1e-12));
                }
            }
        }
    }

    private static double[] doubles(Span span) {
        DoubleBuffer buffer = span.buffer().asDoubleBuffer();
        double[] values = new double[buffer.remaining()];
        buffer.get(values);
        return values;
    }

    @Test
    void shouldLeaveFrozenParametersAlone() {
        ParameterGroupSpec frozen = new ParameterGroupSpec("0.*", true, null, null);
        try (Replica replica = ReplicaTest.mlp(List.of(frozen));
                Optimizer sgd = replica.optimizer(OptimizerSpec.defaults(Kind.SGD))) {
            assertThat(replica.layout().slots())
                    .extracting(Slot::isTrainable)
                    .containsExactly(false, false, true, true, true, true);
            float[] before = ReplicaTest.floats(replica.parameters());
            List<Integer> ready = new ArrayList<>();
            replica.zeroGradients();
            replica.forwardBackward(ReplicaTest.rows(1, 8), 1, ready::add);
            sgd.apply(1, 8, 1);
            float[] after = ReplicaTest.floats(replica.parameters());
            assertThat(ready.subList(0, 2)).containsExactly(0, 1);
            assertThat(ready).hasSize(6);
            for (Slot slot : replica.layout().slots()) {
                for (long i = slot.offset(); i < slot.end(); i++) {
                    if (!slot.isTrainable()) {
                        assertThat(after[(int) i]).isEqualTo(before[(int) i]);
                    }
                }
            }
            assertThat(after).isNotEqualTo(before);
        }
    }

    @Test
    void shouldTreatGroupsByTheirOwnRateAndDecay() {
        List<ParameterGroupSpec> groups =
                List.of(
                        new ParameterGroupSpec("*.bias", false, null, 0.0),
                        new ParameterGroupSpec("4.*", false, 1e-9, null));
        OptimizerSpec decaying =
                OptimizerSpec.defaults(Kind.SGD).withLearningRate(0.5).withWeightDecay(0.5);
        for (Arithmetic arithmetic : Arithmetic.values()) {
            try (Replica replica = ReplicaTest.mlp(groups);
                    Optimizer sgd = replica.optimizer(decaying)) {
                sgd.setArithmetic(arithmetic);
                float[] before = ReplicaTest.floats(replica.parameters());
                replica.zeroGradients();
                replica.forwardBackward(
                        new Batch(
                                ReplicaTest.rows(1, 8).inputs(),
                                ReplicaTest.rows(1, 8).target(),
                                0),
                        1,
                        ReadyListener.NONE);
                sgd.apply(1, 1, 1);
                float[] after = ReplicaTest.floats(replica.parameters());
                List<Slot> slots = replica.layout().slots();
                float decayed = after[(int) slots.get(0).offset()];
                assertThat(decayed).isEqualTo(before[(int) slots.get(0).offset()] * 0.75f);
                int bias = (int) slots.get(1).offset();
                assertThat(after[bias]).isEqualTo(before[bias]);
                int slow = (int) slots.get(4).offset();
                assertThat(after[slow]).isEqualTo(before[slow]);
            }
        }
    }

    @Test
    void shouldRefuseAGroupWithoutParameters() {
        ParameterGroupSpec misspelt = new ParameterGroupSpec("hidden.*", true, null, null);
        assertThatThrownBy(() -> ReplicaTest.mlp(List.of(misspelt)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("hidden.*")
                .hasMessageContaining("0.weight");
    }

    @Test
    void shouldWriteGradientsWhereTheyAreBound() {
        try (Replica replica = ReplicaTest.mlp(List.of())) {
            replica.zeroGradients();
            replica.forwardBackward(ReplicaTest.rows(1, 8), 1, ReadyListener.NONE);
            float[] own = ReplicaTest.floats(replica.gradients());
            Span larger = Span.allocate(replica.layout().gradientBytes() + 128);
            Span memory = larger.slice(64, replica.layout().gradientBytes());
            for (int epoch = 0; epoch < 3; epoch++) {
                replica.bindGradients(memory);
                replica.zeroGradients();
                replica.forwardBackward(ReplicaTest.rows(1, 8), 1, ReadyListener.NONE);
                assertThat(ReplicaTest.floats(memory)).isEqualTo(own);
            }
            assertThatThrownBy(() -> replica.bindGradients(larger))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldMeasureTheGradient() {
        try (Replica replica = ReplicaTest.mlp(List.of())) {
            replica.zeroGradients();
            replica.forwardBackward(ReplicaTest.rows(1, 8), 1, ReadyListener.NONE);
            double expected = 0;
            for (float value : ReplicaTest.floats(replica.gradients())) {
                expected += (double) value * value;
            }
            double strict = replica.gradientSquaredNorm(Arithmetic.STRICT);
            double fast = replica.gradientSquaredNorm(Arithmetic.LIBTORCH);
            assertThat(strict).isEqualTo(expected);
            assertThat(fast / expected).isBetween(1 - 1e-6, 1 + 1e-6);
            for (float poison : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
                replica.gradients().buffer().putFloat(40, poison);
                for (Arithmetic arithmetic : Arithmetic.values()) {
                    assertThat(replica.gradientSquaredNorm(arithmetic)).isNotFinite();
                }
            }
        }
    }

    @Test
    void shouldReportAListenerThatFails() {
        try (Replica replica = ReplicaTest.mlp(List.of())) {
            replica.zeroGradients();
            assertThatThrownBy(
                            () ->
                                    replica.forwardBackward(
                                            ReplicaTest.rows(1, 8),
                                            1,
                                            slot -> {
                                                throw new IllegalArgumentException("full");
                                            }))
                    .hasRootCauseMessage("full");
            replica.zeroGradients();
            replica.forwardBackward(ReplicaTest.rows(1, 8), 1, ReadyListener.NONE);
            assertThat(replica.gradientSquaredNorm(Arithmetic.STRICT)).isPositive();
        }
    }

    private static float[] gradient(Replica replica, int slot) {
        Slot place = replica.layout().slots().get(slot);
        return ReplicaTest.floats(replica.gradients().slice(place.offset() * 4, place.count() * 4));
    }
}
