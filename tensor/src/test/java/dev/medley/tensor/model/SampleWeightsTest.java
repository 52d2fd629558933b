package dev.medley.tensor.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.ClassWeights;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Formula;
import dev.medley.tensor.Torch;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What samples count, in loss, gradient and weight of a step. */
@Tag("unit")
class SampleWeightsTest {
    private static final int FEATURES = 5;
    private static final int SAMPLES = 6;

    /** What the samples count, and how often each stands in the batch without weights. */
    private static final int[] COUNTS = {2, 1, 0, 3, 1, 2};

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @ParameterizedTest
    @CsvSource({
        "BINARY, AUTO, false",
        "BINARY, AUTO, true",
        "BINARY, HINGE, false",
        "CLASSES, AUTO, true",
        "CLASSES, HINGE, false",
        "VALUE, AUTO, false"
    })
    void aWeightShouldBeTheRowSoManyTimesAndNoneItsAbsence(
            TargetKind kind, LossKind loss, boolean byClass) {
        LossSpec spec = new LossSpec(loss, null);
        LossSpec both =
                byClass
                        ? spec.with(
                                new ClassWeights(
                                        true,
                                        java.util.Map.of(),
                                        kind == TargetKind.BINARY
                                                ? List.of(0.5, 3.0)
                                                : List.of(0.5, 3.0, 2.0)))
                        : spec;
        Batch weighted = batch(kind, COUNTS);
        try (Replica once = replica(kind, both, true);
                Replica often = replica(kind, both, false)) {
            StepLoss one = once.forwardBackward(weighted, 1, ReadyListener.NONE);
            StepLoss all = often.forwardBackward(repeated(weighted), 1, ReadyListener.NONE);
            assertThat(one.weight()).isEqualTo(all.weight()).isEqualTo(once.weight(weighted));
            assertThat(one.lossSum()).isCloseTo(all.lossSum(), within(1e-12));
            assertSame(once, often);
            assertThat(once.evaluate(weighted).lossSum())
                    .isCloseTo(often.evaluate(repeated(weighted)).lossSum(), within(1e-12));
            assertThat(once.evaluate(weighted).weight()).isEqualTo(all.weight());
            assertThat(once.countsSamples()).isFalse();
        }
    }

    @Test
    void unevenPartsShouldAddUpToTheWhole() {
        Batch all = batch(TargetKind.BINARY, COUNTS);
        try (Replica one = replica(TargetKind.BINARY, LossSpec.auto(), true);
                Replica parts = replica(TargetKind.BINARY, LossSpec.auto(), true)) {
            double whole = one.forwardBackward(all, 1, ReadyListener.NONE).weight();
            double sum = 0;
            int[] borders = {0, 1, 3, 3, 6}; // Two, then one that counts nothing, none, the rest.
            for (int i = 1; i < borders.length; i++) {
                Batch part = all.rows(borders[i - 1], borders[i]);
                sum += parts.forwardBackward(part, 1, borders[i - 1], ReadyListener.NONE).weight();
            }
            assertThat(sum).isEqualTo(whole).isEqualTo(9);
            assertSame(one, parts);
        }
    }

    @Test
    void aLossThatKnowsTheSumAloneShouldBeRefused() {
        assertThatThrownBy(
                        () ->
                                Replica.of(
                                        Networks.build(
                                                new ModelSpec.Linear(),
                                                signature(TargetKind.BINARY, true)),
                                        (outputs, target) -> outputs.sum(),
                                        signature(TargetKind.BINARY, true),
                                        ReplicaOptions.of(1, Precision.FP64)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("data.weight")
                .hasMessageContaining("each(outputs, target)");
    }

    private static void assertSame(Replica one, Replica other) {
        var gradients = one.gradients().buffer().asDoubleBuffer();
        var others = other.gradients().buffer().asDoubleBuffer();
        assertThat(gradients.limit()).isPositive().isEqualTo(others.limit());
        for (int i = 0; i < gradients.limit(); i++) {
            assertThat(gradients.get(i)).isCloseTo(others.get(i), within(1e-12));
        }
    }

    private static Replica replica(TargetKind kind, LossSpec loss, boolean weighted) {
        return Replica.build(
                new ModelSpec.Mlp(List.of(4), ModelSpec.Activation.TANH, 0),
                loss,
                List.of(),
                signature(kind, weighted),
                ReplicaOptions.of(3, Precision.FP64));
    }

    private static Signature signature(TargetKind kind, boolean weighted) {
        return new Signature(
                List.of(new Input("x", ElementType.FLOAT32, List.of(FEATURES), List.of())),
                new Target(kind, kind == TargetKind.CLASSES ? 3 : 1, List.of(), 0, 2),
                weighted);
    }

    private static Batch batch(TargetKind kind, int[] counts) {
        HostArray target =
                kind == TargetKind.CLASSES
                        ? Formula.indices(2, 3, SAMPLES)
                        : Formula.labels(2, SAMPLES);
        HostArray weights = HostArray.allocate(ElementType.FLOAT32, SAMPLES);
        for (int i = 0; i < SAMPLES; i++) {
            weights.data().buffer().asFloatBuffer().put(i, counts[i]);
        }
        HostArray x = Formula.floats(1, SAMPLES, FEATURES);
        return new Batch(List.of(x), target, weights, SAMPLES);
    }

    private static Batch repeated(Batch batch) {
        int all = java.util.Arrays.stream(COUNTS).sum();
        HostArray x = HostArray.allocate(ElementType.FLOAT32, all, FEATURES);
        HostArray target = HostArray.allocate(batch.target().type(), all);
        int to = 0;
        for (int i = 0; i < SAMPLES; i++) {
            for (int copy = 0; copy < COUNTS[i]; copy++, to++) {
                x.rows(to, to + 1).data().copyFrom(batch.inputs().get(0).rows(i, i + 1).data());
                target.rows(to, to + 1).data().copyFrom(batch.target().rows(i, i + 1).data());
            }
        }
        return new Batch(List.of(x), target, all);
    }
}
