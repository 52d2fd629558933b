package dev.medley.tensor.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.ModelSpec.Numeric;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.Formula;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layout.Slot;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table of two numbers, a flag between them, and two columns of categories. */
@Tag("unit")
class TabularNetworkTest {
    private static final Input NUMBERS =
            new Input(
                    "features",
                    ElementType.FLOAT32,
                    List.of(3),
                    List.of(),
                    List.of(List.of(-0.5f, 0f, 0.75f), List.of(), List.of(-1f, 1f)));

    private static final Input CATEGORIES =
            new Input("categories", ElementType.INT64, List.of(2), List.of(4, 7));

    private static final int SAMPLES = 5;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    private static Signature signature(TargetKind kind, Input... inputs) {
        Target target = new Target(kind, kind == TargetKind.CLASSES ? 3 : 1, List.of());
        return new Signature(List.of(inputs), target);
    }

    private static Replica replica(ModelSpec.Mlp spec, Signature signature) {
        return Replica.build(
                spec, LossSpec.auto(), List.of(), signature, ReplicaOptions.of(3, Precision.FP64));
    }

    private static ModelSpec.Mlp spec(List<Integer> hidden, Numeric numeric, int members) {
        return new ModelSpec.Mlp(
                hidden, ModelSpec.Activation.TANH, 0, numeric, 2, members > 0, members);
    }

    private static Batch batch(Signature signature) {
        List<HostArray> inputs = new ArrayList<>();
        inputs.add(Formula.floats(1, SAMPLES, 3));
        if (signature.inputs().size() > 1) {
            inputs.add(Formula.indices(2, 4, SAMPLES, 2));
        }
        HostArray target =
                signature.target().kind() == TargetKind.CLASSES
                        ? Formula.indices(3, 3, SAMPLES)
                        : Formula.labels(3, SAMPLES);
        return new Batch(inputs, target, SAMPLES);
    }

    private static Map<String, double[]> parameters(Replica replica) {
        Map<String, double[]> byName = new LinkedHashMap<>();
        for (NamedSpan array : replica.export()) {
            DoubleBuffer values = array.data().buffer().asDoubleBuffer();
            double[] copy = new double[values.remaining()];
            values.get(copy);
            byName.put(array.name(), copy);
        }
        return byName;
    }

    private static float[] row(Batch batch, int sample) {
        float[] row = new float[3];
        batch.inputs().get(0).data().buffer().asFloatBuffer().get(3 * sample, row);
        return row;
    }

    private static float output(Replica replica, Batch batch, int at) {
        return replica.forward(batch).data().buffer().asFloatBuffer().get(at);
    }

    @Test
    void piecewiseNumbersShouldTellWhatLiesBelow() {
        Signature signature = signature(TargetKind.VALUE, NUMBERS);
        try (Replica replica = replica(spec(List.of(), Numeric.PIECEWISE, 0), signature)) {
            Map<String, double[]> parameters = parameters(replica);
            double[] w = parameters.get("0.weight");
            assertThat(w).as("three features, two bins and one").hasSize(6);
            Batch batch = batch(signature);
            for (int s = 0; s < SAMPLES; s++) {
                float[] x = row(batch, s);
                double expected =
                        parameters.get("0.bias")[0]
                                + w[0] * x[0]
                                + w[1] * x[1]
                                + w[2] * x[2]
                                + w[3] * part(x[0], -0.5, 0)
                                + w[4] * part(x[0], 0, 0.75)
                                + w[5] * part(x[2], -1, 1);
                assertThat(output(replica, batch, s)).isCloseTo((float) expected, within(1e-6f));
            }
        }
    }

    private static double part(double x, double from, double to) {
        return Math.min(1, Math.max(0, (x - from) / (to - from)));
    }

    @Test
    void periodicNumbersShouldBeSinesAndCosinesThroughALayerOfTheirOwn() {
        Signature signature = signature(TargetKind.VALUE, NUMBERS);
        try (Replica replica = replica(spec(List.of(), Numeric.PERIODIC, 0), signature)) {
            Map<String, double[]> p = parameters(replica);
            int waves = p.get("numbers.0.frequency").length / 2;
            int width = p.get("numbers.0.bias").length / 2;
            Batch batch = batch(signature);
            for (int s = 0; s < SAMPLES; s++) {
                float[] x = row(batch, s);
                double expected = p.get("0.bias")[0];
                for (int i = 0; i < 3; i++) {
                    expected += p.get("0.weight")[i] * x[i];
                }
                double[] numbers = {x[0], x[2]};
                for (int c = 0; c < 2; c++) {
                    for (int d = 0; d < width; d++) {
                        double sum = p.get("numbers.0.bias")[c * width + d];
                        for (int n = 0; n < waves; n++) {
                            double angle =
                                    2
                                            * Math.PI
                                            * p.get("numbers.0.frequency")[c * waves + n]
                                            * numbers[c];
                            double[] w = p.get("numbers.0.weight");
                            sum += w[(c * 2 * waves + n) * width + d] * Math.sin(angle);
                            sum += w[(c * 2 * waves + waves + n) * width + d] * Math.cos(angle);
                        }
                        expected += p.get("0.weight")[3 + c * width + d] * Math.max(0, sum);
                    }
                }
                assertThat(output(replica, batch, s)).isCloseTo((float) expected, within(1e-6f));
            }
        }
    }

    /** Each member is a network of its own, whose layer has the shared weights times factors. */
    @ParameterizedTest
    @EnumSource(
            value = TargetKind.class,
            names = {"BINARY", "CLASSES", "VALUE"})
    void anEnsembleShouldLearnAsItsMembersAndPredictTheirMean(TargetKind kind) {
        Signature signature = signature(kind, NUMBERS);
        int outputs = signature.target().outputs();
        int members = 3;
        Batch batch = batch(signature);
        ModelSpec.Mlp one = new ModelSpec.Mlp(List.of(4), ModelSpec.Activation.TANH, 0);
        ModelSpec.Mlp all =
                new ModelSpec.Mlp(
                        List.of(4), ModelSpec.Activation.TANH, 0, Numeric.PLAIN, 0, false, members);
        try (Replica ensemble = replica(all, signature);
                Replica member = replica(one, signature)) {
            fill(ensemble);
            Map<String, double[]> p = parameters(ensemble);
            double[][] mean = new double[SAMPLES][outputs];
            double loss = 0;
            for (int m = 0; m < members; m++) {
                load(member, p, m, outputs);
                loss += member.evaluate(batch).lossSum() / members;
                float[] scores = new float[SAMPLES * outputs];
                member.forward(batch).data().buffer().asFloatBuffer().get(scores);
                for (int i = 0; i < scores.length; i++) {
                    mean[i / outputs][i % outputs] += probability(scores, i, kind) / members;
                }
            }
            ensemble.zeroGradients();
            StepLoss learnt = ensemble.forwardBackward(batch, 1, ReadyListener.NONE);
            assertThat(learnt.lossSum()).isCloseTo(loss, within(1e-6));
            assertThat(learnt.weight()).isEqualTo(SAMPLES);
            float[] together = new float[SAMPLES * outputs];
            ensemble.forward(batch).data().buffer().asFloatBuffer().get(together);
            for (int i = 0; i < together.length; i++) {
                assertThat(probability(together, i, kind))
                        .isCloseTo(mean[i / outputs][i % outputs], within(1e-6));
            }
        }
    }

    private static double probability(float[] scores, int i, TargetKind kind) {
        if (kind == TargetKind.VALUE) {
            return scores[i];
        } else if (kind == TargetKind.BINARY) {
            return 1 / (1 + Math.exp(-scores[i]));
        }
        double sum = 0;
        for (int c = i / 3 * 3; c < i / 3 * 3 + 3; c++) {
            sum += Math.exp(scores[c]);
        }
        return Math.exp(scores[i]) / sum;
    }

    /** Factors that begin at 1 would hide where they are used. */
    private static void fill(Replica replica) {
        List<NamedSpan> arrays = replica.export();
        for (NamedSpan array : arrays) {
            DoubleBuffer values = array.data().buffer().asDoubleBuffer();
            for (int i = 0; i < values.limit(); i++) {
                values.put(i, Formula.signed(i, array.name().hashCode()));
            }
        }
        replica.load(arrays);
    }

    private static void load(Replica member, Map<String, double[]> p, int m, int outputs) {
        List<NamedSpan> arrays = member.export();
        for (NamedSpan array : arrays) {
            DoubleBuffer values = array.data().buffer().asDoubleBuffer();
            for (int i = 0; i < values.limit(); i++) {
                values.put(
                        i,
                        switch (array.name()) {
                            case "0.weight" ->
                                    p.get("0.weight")[i]
                                            * p.get("0.output")[m * 4 + i / 3]
                                            * p.get("0.input")[m * 3 + i % 3];
                            case "0.bias" -> p.get("0.bias")[m * 4 + i];
                            case "2.weight" -> p.get("2.weight")[(m * 4 + i % 4) * outputs + i / 4];
                            default -> p.get("2.bias")[m * outputs + i];
                        });
            }
        }
        member.load(arrays);
    }

    @ParameterizedTest
    @EnumSource(Numeric.class)
    void gradientsShouldBeThoseOfTheLoss(Numeric numeric) {
        Signature signature = signature(TargetKind.CLASSES, NUMBERS, CATEGORIES);
        Batch batch = batch(signature);
        try (Replica replica = replica(spec(List.of(4, 3), numeric, 2), signature)) {
            replica.zeroGradients();
            StepLoss unused = replica.forwardBackward(batch, 1, ReadyListener.NONE);
            double[] gradients = doubles(replica.gradients());
            DoubleBuffer parameters = replica.parameters().buffer().asDoubleBuffer();
            double step = 1e-6;
            for (Slot slot : replica.layout().slots()) {
                for (long i = slot.offset(); i < slot.end(); i += 1 + slot.count() / 5) {
                    double before = parameters.get((int) i);
                    parameters.put((int) i, before + step);
                    double above = replica.forwardBackward(batch, 1, ReadyListener.NONE).lossSum();
                    parameters.put((int) i, before - step);
                    double below = replica.forwardBackward(batch, 1, ReadyListener.NONE).lossSum();
                    parameters.put((int) i, before);
                    assertThat(gradients[(int) i])
                            .as("%s at %d", slot.name(), i - slot.offset())
                            .isCloseTo((above - below) / (2 * step), within(1e-5));
                }
            }
        }
    }

    private static double[] doubles(Span span) {
        double[] copy = new double[(int) (span.bytes() / Double.BYTES)];
        span.buffer().asDoubleBuffer().get(copy);
        return copy;
    }

    @Test
    void numbersOfWhichNothingIsKnownShouldStayPlain() {
        Input images = new Input("image", ElementType.FLOAT32, List.of(3), List.of());
        Signature signature = signature(TargetKind.VALUE, images);
        try (Replica periodic = replica(spec(List.of(4), Numeric.PERIODIC, 0), signature);
                Replica plain = replica(spec(List.of(4), Numeric.PLAIN, 0), signature)) {
            assertThat(parameters(periodic).keySet()).isEqualTo(parameters(plain).keySet());
            assertThat(doubles(periodic.parameters())).isEqualTo(doubles(plain.parameters()));
        }
    }
}
