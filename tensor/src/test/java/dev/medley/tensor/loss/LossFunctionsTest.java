package dev.medley.tensor.loss;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.ClassWeights;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.MemoryScope;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.Torch;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class LossFunctionsTest {
    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    private static HostArray doubles(long[] shape, double... values) {
        HostArray array = HostArray.allocate(ElementType.FLOAT64, shape);
        ByteBuffer bytes = array.data().buffer();
        for (double value : values) {
            bytes.putDouble(value);
        }
        return array;
    }

    private static HostArray longs(long[] shape, long... values) {
        HostArray array = HostArray.allocate(ElementType.INT64, shape);
        ByteBuffer bytes = array.data().buffer();
        for (long value : values) {
            bytes.putLong(value);
        }
        return array;
    }

    private static double sum(LossFunction loss, HostArray outputs, HostArray target) {
        try (MemoryScope scope = MemoryScope.open()) {
            return loss.sum(Tensor.aliasOf(outputs), Tensor.aliasOf(target)).item();
        }
    }

    private static double weight(LossFunction loss, HostArray target) {
        try (MemoryScope scope = MemoryScope.open()) {
            return loss.weight(Tensor.aliasOf(target));
        }
    }

    private static LossFunction loss(LossKind kind, TargetKind target) {
        return LossFunctions.of(new LossSpec(kind, null), new Target(target, 3, List.of()));
    }

    @Test
    void shouldSumCrossEntropy() {
        HostArray logits = doubles(new long[] {2, 3}, 1, 2, 3, 0, 0, 0);
        HostArray target = longs(new long[] {2}, 2, 1);
        double expected = Math.log(Math.exp(1) + Math.exp(2) + Math.exp(3)) - 3 + Math.log(3);
        LossFunction loss = loss(LossKind.AUTO, TargetKind.CLASSES);
        assertThat(sum(loss, logits, target)).isCloseTo(expected, within(1e-12));
        assertThat(weight(loss, target)).isEqualTo(2);
    }

    @Test
    void shouldNotCountTokensThatAreNotAskedFor() {
        HostArray logits = doubles(new long[] {1, 2, 3}, 1, 2, 3, 0, 0, 0);
        HostArray target = longs(new long[] {1, 2}, -1, 1);
        LossFunction loss = loss(LossKind.AUTO, TargetKind.TOKENS);
        assertThat(sum(loss, logits, target)).isCloseTo(Math.log(3), within(1e-12));
        assertThat(weight(loss, target)).isEqualTo(1);
        assertThat(weight(loss, longs(new long[] {1, 2}, -1, -1))).isZero();
    }

    @Test
    void shouldSumBinaryCrossEntropyOfLargeLogits() {
        HostArray logits = doubles(new long[] {3, 1}, 800, -800, 0);
        HostArray target = doubles(new long[] {3}, 1, 1, 0);
        LossFunction loss = loss(LossKind.AUTO, TargetKind.BINARY);
        assertThat(sum(loss, logits, target)).isCloseTo(800 + Math.log(2), within(1e-9));
    }

    @Test
    void shouldSumSquaresAndHinges() {
        HostArray outputs = doubles(new long[] {3, 1}, 0.5, 2, -0.25);
        HostArray zeroOne = doubles(new long[] {3}, 1, 0, 0);
        assertThat(sum(loss(LossKind.AUTO, TargetKind.VALUE), outputs, zeroOne))
                .isCloseTo(0.25 + 4 + 0.0625, within(1e-12));
        assertThat(sum(loss(LossKind.HINGE, TargetKind.BINARY), outputs, zeroOne))
                .isCloseTo(0.5 + 3 + 0.75, within(1e-12));
        HostArray scores = doubles(new long[] {1, 3}, 1, 0.5, -3);
        assertThat(sum(loss(LossKind.HINGE, TargetKind.CLASSES), scores, longs(new long[] {1}, 0)))
                .isCloseTo(0.5 / 3, within(1e-12));
    }

    @Test
    void smoothLabelsShouldBeDealtOutToAllClassesInTrainingAlone() {
        LossSpec smooth = LossSpec.auto().smoothing(0.3);
        Target binary = new Target(TargetKind.BINARY, 1, List.of());
        HostArray logits = doubles(new long[] {1, 1}, 2);
        HostArray one = doubles(new long[] {1}, 1);
        double yes = Math.log1p(Math.exp(-2));
        double no = Math.log1p(Math.exp(2));
        assertThat(sum(LossFunctions.training(smooth, binary), logits, one))
                .isCloseTo(0.85 * yes + 0.15 * no, within(1e-12));
        assertThat(sum(LossFunctions.of(smooth, binary), logits, one))
                .isCloseTo(yes, within(1e-12));
        Target classes = new Target(TargetKind.CLASSES, 3, List.of());
        HostArray scores = doubles(new long[] {1, 3}, 1, 2, 3);
        HostArray last = longs(new long[] {1}, 2);
        double all = Math.log(Math.exp(1) + Math.exp(2) + Math.exp(3));
        assertThat(sum(LossFunctions.training(smooth, classes), scores, last))
                .isCloseTo(all - 0.7 * 3 - 0.1 * (1 + 2 + 3), within(1e-12));
        assertThatThrownBy(
                        () ->
                                LossFunctions.training(
                                        smooth, new Target(TargetKind.VALUE, 1, List.of())))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "train.label_smoothing=0.3 goes with cross-entropy, but the loss is"
                                + " mean-squared-error: leave it out");
    }

    @Test
    void samplesShouldWeighWhatTheirClassDoes() {
        HostArray logits = doubles(new long[] {3, 1}, 2, -1, 0);
        HostArray target = doubles(new long[] {3}, 1, 0, 1);
        double one = Math.log1p(Math.exp(-2));
        double zero = Math.log1p(Math.exp(-1));
        LossFunction loss = weighted(LossKind.AUTO, TargetKind.BINARY, 0.5, 3.0);
        assertThat(sum(loss, logits, target))
                .isCloseTo(3 * one + 0.5 * zero + 3 * Math.log(2), within(1e-12));
        assertThat(weight(loss, target)).isEqualTo(6.5);
        assertThat(loss.countsSamples()).isFalse();
        HostArray scores = doubles(new long[] {2, 3}, 1, 2, 3, 0, 0, 0);
        HostArray classes = longs(new long[] {2}, 2, 1);
        double first = Math.log(Math.exp(1) + Math.exp(2) + Math.exp(3)) - 3;
        LossFunction of = weighted(LossKind.AUTO, TargetKind.CLASSES, 7.0, 2.0, 0.25);
        assertThat(sum(of, scores, classes))
                .isCloseTo(0.25 * first + 2 * Math.log(3), within(1e-12));
        assertThat(weight(of, classes)).isEqualTo(2.25);
    }

    @Test
    void equalWeightsShouldChangeNothing() {
        HostArray scores = doubles(new long[] {2, 3}, 1, 2, 3, 0.5, 0, 0);
        HostArray classes = longs(new long[] {2}, 2, 1);
        for (LossKind kind : List.of(LossKind.AUTO, LossKind.HINGE)) {
            LossFunction one = weighted(kind, TargetKind.CLASSES, 1.0, 1.0, 1.0);
            LossFunction two = weighted(kind, TargetKind.CLASSES, 2.0, 2.0, 2.0);
            assertThat(sum(two, scores, classes)).isEqualTo(2 * sum(one, scores, classes));
            assertThat(sum(one, scores, classes))
                    .isCloseTo(sum(loss(kind, TargetKind.CLASSES), scores, classes), within(1e-12));
        }
    }

    @Test
    void aLossThatKnowsItsSumAloneShouldTakeNoWeights() {
        LossSpec custom =
                new LossSpec(LossKind.CUSTOM, ClassSpec.of(SumAlone.class))
                        .with(new ClassWeights(true, Map.of(), List.of(1.0, 2.0)));
        assertThatThrownBy(
                        () ->
                                LossFunctions.of(
                                        custom,
                                        new Target(TargetKind.BINARY, 1, List.of("a", "b"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("SumAlone")
                .hasMessageContaining("each(outputs, target)");
    }

    /** Gives no loss of each sample. */
    public static final class SumAlone implements LossFunction {
        @Override
        public Tensor sum(Tensor outputs, Tensor target) {
            return outputs.sum();
        }
    }

    private static LossFunction weighted(LossKind kind, TargetKind target, Double... weights) {
        ClassWeights given = new ClassWeights(false, Map.of(), List.of(weights));
        return LossFunctions.of(
                new LossSpec(kind, null).with(given), new Target(target, 3, List.of()));
    }

    @Test
    void shouldRefuseALossThatDoesNotFitTheTarget() {
        assertThatThrownBy(() -> loss(LossKind.BINARY_CROSS_ENTROPY, TargetKind.CLASSES))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("one of 3 classes");
        assertThatThrownBy(() -> loss(LossKind.CROSS_ENTROPY, TargetKind.VALUE))
                .isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> loss(LossKind.HINGE, TargetKind.TOKENS))
                .isInstanceOf(ConfigException.class);
    }
}
