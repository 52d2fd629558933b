package dev.medley.tensor.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.Formula;
import dev.medley.tensor.Shapes;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layout.Slot;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Residual networks are torchvision's; src/test/python/record_resnets.py recorded what it says. */
@Tag("property")
class ResNetTest {
    private static final int CLASSES = 10;

    record Recording(String torch, String torchvision, List<Case> cases) {}

    record Case(int depth, int side, List<Double> logits) {}

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    static Stream<Case> cases() throws IOException {
        try (InputStream in = ResNetTest.class.getResourceAsStream("/pytorch/resnet-logits.json")) {
            return Json.parse(Objects.requireNonNull(in).readAllBytes(), Recording.class)
                    .cases()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldGiveTheLogitsOfPyTorch(Case recorded) {
        int side = recorded.side();
        try (Replica replica = replica(recorded.depth(), Shapes.images(3, side, CLASSES))) {
            replica.load(initial(replica));
            Batch batch =
                    Formula.batch(
                            Formula.floats(7, 4, 3, side, side), Formula.indices(1, CLASSES, 4));
            FloatBuffer logits = replica.forward(batch).data().buffer().asFloatBuffer();
            double spread = recorded.logits().stream().mapToDouble(Math::abs).max().orElseThrow();
            assertThat(spread).as("logits that tell something").isGreaterThan(0.1);
            for (int i = 0; i < recorded.logits().size(); i++) {
                assertThat((double) logits.get(i))
                        .as("logit %d", i)
                        .isCloseTo(recorded.logits().get(i), within(1e-4 * Math.max(1, spread)));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"18, 11_689_512", "34, 21_797_672", "50, 25_557_032"})
    void shouldHaveTheParametersOfThePaper(int depth, String count) {
        var layout =
                Networks.layout(
                        new ModelSpec.Resnet(depth), List.of(), Shapes.images(3, 224, 1000));
        assertThat(layout.parameterCount()).isEqualTo(Long.parseLong(count.replace("_", "")));
        assertThat(layout.slots())
                .extracting(Slot::name)
                .contains("conv1.weight", "layer2.0.downsample.1.bias", "fc.weight");
    }

    @Test
    void shouldRefuseAnImageThatItsStagesHalveToNothing() {
        assertThatThrownBy(
                        () ->
                                Networks.build(
                                        ModelSpec.Resnet.defaults(), Shapes.images(1, 7, CLASSES)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "model.family=resnet halves the image three times, but it is only 7 x 7"
                                + " pixels: at least 8 each way, set data.image.height and width,"
                                + " or use cnn");
    }

    private static Replica replica(int depth, Signature signature) {
        return Replica.build(
                new ModelSpec.Resnet(depth),
                LossSpec.auto(),
                List.of(),
                signature,
                ReplicaOptions.of(1, Precision.FP32));
    }

    private static List<NamedSpan> initial(Replica replica) {
        List<NamedSpan> arrays = new ArrayList<>(CorrectnessTest.initial(replica));
        List<Slot> statistics = replica.layout().statistics();
        int first = arrays.size() - statistics.size();
        for (int k = 0; k < statistics.size(); k++) {
            Slot slot = statistics.get(k);
            HostArray values = HostArray.allocate(ElementType.FLOAT64, slot.dimensions());
            ByteBuffer bytes = values.data().buffer();
            boolean isMean = slot.name().endsWith("mean");
            for (long i = 0; i < slot.count(); i++) {
                double value = Formula.signed(i, 10_000L + k);
                bytes.putDouble(isMean ? 0.1 * value : 1 + 0.5 * value);
            }
            arrays.set(
                    first + k,
                    new NamedSpan(
                            slot.name(), ElementType.FLOAT64, slot.dimensions(), values.data()));
        }
        return arrays;
    }
}
