package dev.medley.tensor.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.Shapes;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class InitializerTest {
    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @Test
    void shouldDrawTheStandardNormalDistribution() {
        RandomGenerator random = Seeds.generator(5);
        Initializer normal = Initializer.normal(2);
        double[] values = DoubleStream.generate(() -> normal.draw(random)).limit(100_000).toArray();
        double mean = DoubleStream.of(values).average().orElseThrow();
        double square = DoubleStream.of(values).map(v -> v * v).average().orElseThrow();
        double fourth = DoubleStream.of(values).map(v -> v * v * v * v).average().orElseThrow();
        assertThat(mean).isCloseTo(0, within(0.02));
        assertThat(square).isCloseTo(4, within(0.06));
        assertThat(fourth / (square * square)).isCloseTo(3, within(0.1));
    }

    @Test
    void shouldBeginLinearLayersAsPyTorchDoes() {
        try (Replica replica =
                replica(
                        1,
                        Shapes.rows(400, 5),
                        new ModelSpec.Mlp(List.of(200), ModelSpec.Activation.RELU, 0))) {
            for (NamedSpan array : replica.export().subList(0, 2)) {
                float[] values = values(array);
                double bound = 1 / Math.sqrt(400);
                double square = 0;
                float largest = 0;
                for (float value : values) {
                    square += value * value;
                    largest = Math.max(largest, Math.abs(value));
                }
                assertThat((double) largest).isLessThanOrEqualTo(bound).isGreaterThan(0.95 * bound);
                double variance = bound * bound / 3;
                assertThat(square / values.length).isCloseTo(variance, within(0.2 * variance));
            }
        }
    }

    @Test
    void shouldDrawByNameAndSeedAlone() {
        Signature signature = Shapes.rows(20, 3);
        ModelSpec one = new ModelSpec.Mlp(List.of(8), ModelSpec.Activation.RELU, 0);
        ModelSpec two = new ModelSpec.Mlp(List.of(8, 8), ModelSpec.Activation.RELU, 0);
        try (Replica first = replica(1, signature, one);
                Replica second = replica(1, signature, two);
                Replica third = replica(2, signature, one)) {
            assertThat(values(second.export().get(0))).isEqualTo(values(first.export().get(0)));
            assertThat(values(third.export().get(0))).isNotEqualTo(values(first.export().get(0)));
            assertThat(values(first.export().get(2))).isNotEqualTo(values(first.export().get(0)));
        }
    }

    @Test
    void shouldDrawTheSameOnEveryMachine() {
        try (Replica replica =
                replica(42, Shapes.text(65, 8), new ModelSpec.Transformer(1, 16, 2, 0))) {
            float[] embedding = values(replica.export().get(0));
            assertThat(embedding[0]).isEqualTo(EXPECTED_FIRST);
            assertThat(embedding[1039]).isEqualTo(EXPECTED_LAST);
        }
    }

    @Test
    void shouldDrawTheSameInEitherOrderOfMemory() {
        Signature images = Shapes.images(3, 8, 4);
        ModelSpec cnn = new ModelSpec.Cnn(List.of(4), 3, List.of(), false, 0);
        ReplicaOptions options = ReplicaOptions.of(1, Precision.FP32);
        try (Replica last = Replica.build(cnn, LossSpec.auto(), List.of(), images, options);
                Replica major =
                        Replica.build(
                                cnn,
                                LossSpec.auto(),
                                List.of(),
                                images,
                                options.withImageOrder(MemoryOrder.ROW_MAJOR))) {
            assertThat(values(last.export().get(0))).isEqualTo(values(major.export().get(0)));
            assertThat(last.layout().slots().get(0).order()).isEqualTo(MemoryOrder.CHANNELS_LAST);
            FloatBuffer flat = last.parameters().buffer().asFloatBuffer();
            float[] row = values(major.export().get(0));
            assertThat(flat.get(1)).isEqualTo(row[9]);
        }
    }

    private static final float EXPECTED_FIRST = 1.4128146f;
    private static final float EXPECTED_LAST = -1.9064692f;

    private static Replica replica(long seed, Signature signature, ModelSpec model) {
        return Replica.build(
                model,
                LossSpec.auto(),
                List.of(),
                signature,
                ReplicaOptions.of(seed, Precision.FP32));
    }

    private static float[] values(NamedSpan array) {
        FloatBuffer buffer = array.data().buffer().asFloatBuffer();
        float[] values = new float[buffer.remaining()];
        buffer.get(values);
        return values;
    }
}
