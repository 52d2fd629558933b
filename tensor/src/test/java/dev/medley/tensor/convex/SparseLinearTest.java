package dev.medley.tensor.convex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.Span;
import dev.medley.tensor.Formula;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Terms are another way to write a row: what is learnt from them is the same. */
@Tag("unit")
class SparseLinearTest {
    private static final int SAMPLES = 40;
    private static final int TERMS = 30;
    private static final int SLOTS = 4;

    /** The same samples in both forms. */
    private record Forms(Batch sparse, Batch spread, Signature ofSparse, Signature ofSpread) {}

    private static Forms forms(int plain, TargetKind kind) {
        int outputs = kind == TargetKind.CLASSES ? 3 : 1;
        Target target = new Target(kind, outputs, List.of("a", "b", "c").subList(0, 2));
        HostArray features = Formula.floats(1, SAMPLES, Math.max(1, plain));
        HostArray pairs = HostArray.allocate(ElementType.FLOAT32, SAMPLES, SLOTS, 2);
        int width = plain + TERMS;
        HostArray rows = HostArray.allocate(ElementType.FLOAT32, SAMPLES, width);
        FloatBuffer into = rows.data().buffer().asFloatBuffer();
        for (int s = 0; s < SAMPLES; s++) {
            for (int i = 0; i < plain; i++) {
                float value = features.data().buffer().asFloatBuffer().get(s * plain + i);
                into.put(s * width + i, value);
            }
            // Rows have from none to all slots filled; those left are 0.
            for (int slot = 0; slot < s % (SLOTS + 1); slot++) {
                int term = 7 * slot + s % 7;
                float value = (float) Formula.signed(s, slot);
                int at = 2 * (s * SLOTS + slot);
                pairs.data().buffer().asFloatBuffer().put(at, term).put(at + 1, value);
                into.put(s * width + plain + term, value);
            }
        }
        boolean isClass = kind == TargetKind.CLASSES;
        HostArray truth =
                HostArray.allocate(isClass ? ElementType.INT64 : ElementType.FLOAT32, SAMPLES);
        for (int s = 0; s < SAMPLES; s++) {
            if (isClass) {
                truth.data().buffer().asLongBuffer().put(s, s % 3);
            } else {
                truth.data().buffer().asFloatBuffer().put(s, s % 2);
            }
        }
        Input numbers = new Input("features", ElementType.FLOAT32, List.of(plain), List.of());
        Input terms = new Input("terms", ElementType.FLOAT32, List.of(SLOTS, 2), List.of(TERMS));
        Input all = new Input("features", ElementType.FLOAT32, List.of(width), List.of());
        return new Forms(
                new Batch(plain > 0 ? List.of(features, pairs) : List.of(pairs), truth, SAMPLES),
                new Batch(List.of(rows), truth, SAMPLES),
                new Signature(plain > 0 ? List.of(numbers, terms) : List.of(terms), target),
                new Signature(List.of(all), target));
    }

    private static double[] sums(LinearLearner learner, Batch batch) {
        Span memory = Span.allocate(learner.accumulatorLayout().gradientBytes());
        learner.bindAccumulators(memory);
        learner.gatherCurvature(true);
        learner.begin();
        IntStream.range(0, (int) learner.parameters().bytes() / Double.BYTES)
                .forEach(
                        i ->
                                learner.parameters()
                                        .buffer()
                                        .asDoubleBuffer()
                                        .put(i, Formula.signed(i, 9)));
        learner.take(batch, 1, 0, ReadyListener.NONE);
        double[] sums = new double[(int) memory.bytes() / Double.BYTES];
        memory.buffer().asDoubleBuffer().get(sums);
        return sums;
    }

    @ParameterizedTest
    @CsvSource({"0, BINARY", "3, BINARY", "0, CLASSES", "3, VALUE"})
    void sumsShouldBeThoseOfSpreadRows(int plain, TargetKind kind) {
        Forms forms = forms(plain, kind);
        LinearLearner sparse = new LinearLearner(LossSpec.auto(), forms.ofSparse(), true);
        LinearLearner spread = new LinearLearner(LossSpec.auto(), forms.ofSpread(), true);
        assertThat(sparse.layout()).isEqualTo(spread.layout());
        assertThat(sums(sparse, forms.sparse())).isEqualTo(sums(spread, forms.spread()));
        assertThat(scores(sparse, forms.sparse())).isEqualTo(scores(spread, forms.spread()));
    }

    @ParameterizedTest
    @CsvSource({"0, BINARY", "3, BINARY", "0, CLASSES"})
    void gradientsShouldBeThoseOfSpreadRows(int plain, TargetKind kind) {
        Forms forms = forms(plain, kind);
        try (Replica sparse = replica(forms.ofSparse());
                Replica spread = replica(forms.ofSpread())) {
            assertThat(sparse.layout().slots()).isEqualTo(spread.layout().slots());
            for (Replica each : List.of(sparse, spread)) {
                FloatBuffer values = each.parameters().buffer().asFloatBuffer();
                for (int i = 0; i < values.limit(); i++) {
                    values.put(i, (float) Formula.signed(i, 9));
                }
            }
            assertThat(scores(sparse, forms.sparse()))
                    .containsExactly(scores(spread, forms.spread()), within(1e-5f));
            assertThat(gradient(sparse, forms.sparse()))
                    .containsExactly(gradient(spread, forms.spread()), within(1e-5f));
        }
    }

    private static Replica replica(Signature signature) {
        return Replica.build(
                new ModelSpec.Linear(),
                LossSpec.auto(),
                List.of(),
                signature,
                ReplicaOptions.of(1, Precision.FP32));
    }

    private static float[] gradient(Replica replica, Batch batch) {
        replica.zeroGradients();
        replica.forwardBackward(batch, 1, 0, ReadyListener.NONE);
        float[] all = new float[(int) replica.gradients().bytes() / Float.BYTES];
        replica.gradients().buffer().asFloatBuffer().get(all);
        return all;
    }

    private static float[] scores(Learner learner, Batch batch) {
        HostArray outputs = learner.evaluate(batch).outputs();
        float[] all = new float[(int) outputs.data().bytes() / Float.BYTES];
        outputs.data().buffer().asFloatBuffer().get(all);
        return all;
    }
}
