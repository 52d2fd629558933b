package dev.medley.tensor.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Formula;
import dev.medley.tensor.Torch;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class RecurrentTextsTest {
    private static final int SAMPLES = 5;
    private static final int SHORT = 6;
    private static final int LONG = 9;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    private static Signature texts(int context) {
        return new Signature(
                List.of(new Input("text", ElementType.INT64, List.of(context), List.of(11))),
                new Target(TargetKind.CLASSES, 3, List.of()));
    }

    /** The loss of texts of six tokens, with none behind them. */
    private static double loss(ModelSpec model, int context) {
        HostArray six = Formula.indices(1, 11, SAMPLES, SHORT);
        HostArray all = Formula.indices(1, 11, SAMPLES, context);
        for (int row = 0; row < SAMPLES; row++) {
            for (int i = 0; i < context; i++) {
                long token = i < SHORT ? six.data().buffer().getLong(8 * (row * SHORT + i)) : -1;
                all.data().buffer().putLong(8 * (row * context + i), token);
            }
        }
        Batch batch = Formula.batch(all, Formula.indices(501, 3, SAMPLES));
        try (Replica replica =
                ReplicaTest.replica(model, texts(context), List.of(), Precision.FP32)) {
            return replica.evaluate(batch).lossSum();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lstm", "gru"})
    void shouldAnswerFromTheLastTokenWhateverRoomIsBehindIt(String family) {
        ModelSpec model =
                family.equals("lstm") ? new ModelSpec.Lstm(2, 8, 0) : new ModelSpec.Gru(2, 8, 0);
        assertThat(loss(model, LONG)).isCloseTo(loss(model, SHORT), within(1e-5));
    }
}
