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
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Formula;
import dev.medley.tensor.Shapes;
import dev.medley.tensor.Torch;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Windows of 32 rows of 3 channels, of which 4 rows more are asked for. */
@Tag("unit")
class ForecastsTest {
    private static final int ROWS = 32;
    private static final int CHANNELS = 3;
    private static final int AHEAD = 4;
    private static final ModelSpec ENCODER = new ModelSpec.Transformer(2, 8, 2, 0).ofPatches(8, 4);
    private static final Signature WINDOWS =
            new Signature(
                    List.of(
                            new Input(
                                    "past",
                                    ElementType.FLOAT32,
                                    List.of(ROWS, CHANNELS),
                                    List.of())),
                    new Target(TargetKind.VALUES, AHEAD * CHANNELS, List.of("a", "b", "c")));

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    static Stream<ModelSpec> models() {
        return Stream.of(
                new ModelSpec.Linear(),
                new ModelSpec.Lstm(1, 5, 0),
                new ModelSpec.Gru(2, 4, 0),
                ENCODER);
    }

    /** A window that is stretched and moved has the same forecast, stretched and moved. */
    @ParameterizedTest
    @MethodSource("models")
    void shouldFollowTheLevelOfAWindow(ModelSpec model) {
        try (Replica replica = replica(model, WINDOWS)) {
            float[] plain = forecast(replica, 1, 0);
            float[] moved = forecast(replica, 50, 1000);
            assertThat(plain).hasSize(2 * AHEAD * CHANNELS);
            for (int i = 0; i < plain.length; i++) {
                assertThat((double) moved[i]).isCloseTo(1000 + 50 * plain[i], within(0.1));
            }
        }
    }

    @Test
    void anEncoderShouldRefuseWhatItCannotForecast() {
        assertThatThrownBy(
                        () ->
                                Networks.build(
                                        new ModelSpec.Transformer(1, 8, 2, 0).ofPatches(40, 8),
                                        WINDOWS))
                .hasMessage(
                        "model.patch=40 is longer than the 32 rows that are seen: take a shorter"
                                + " patch, or a longer data.series.look_back");
        assertThatThrownBy(() -> Networks.build(new ModelSpec.Transformer(1, 8, 2, 0), WINDOWS))
                .hasMessage(
                        "model.form=decoder predicts the next token, but the data asks for a"
                                + " forecast: set model.form: encoder");
    }

    @Test
    void channelsShouldBeForecastByThemselvesWithTheSameParameters() {
        try (Replica replica = replica(new ModelSpec.Linear(), WINDOWS)) {
            assertThat(replica.layout().parameterCount()).isEqualTo(ROWS * AHEAD + AHEAD);
            HostArray windows = Formula.floats(5, 2, ROWS, CHANNELS);
            ByteBuffer bytes = windows.data().buffer();
            for (int row = 0; row < ROWS; row++) {
                int at = row * CHANNELS * Float.BYTES;
                bytes.putFloat(at + Float.BYTES, bytes.getFloat(at));
            }
            FloatBuffer next = outputs(replica, windows);
            for (int row = 0; row < AHEAD; row++) {
                float first = next.get(row * CHANNELS);
                assertThat(next.get(row * CHANNELS + 1)).isCloseTo(first, within(1e-6f));
                assertThat(next.get(row * CHANNELS + 2)).isNotCloseTo(first, within(1e-3f));
            }
        }
    }

    /** Of a linear model, a row of the horizon is moved by what is known of that row alone. */
    @Test
    void whatIsKnownOfARowShouldMoveThatRow() {
        Input known = new Input("known", ElementType.FLOAT32, List.of(ROWS + AHEAD, 2), List.of());
        Signature both = new Signature(List.of(WINDOWS.inputs().get(0), known), WINDOWS.target());
        HostArray past = Formula.floats(5, 1, ROWS, CHANNELS);
        for (ModelSpec model :
                List.of(
                        new ModelSpec.Linear(),
                        ModelSpec.Gru.defaults(),
                        ModelSpec.Mlp.defaults())) {
            try (Replica replica = replica(model, both)) {
                HostArray ahead = Formula.floats(6, 1, ROWS + AHEAD, 2);
                float[] before = outputs(replica, past, ahead);
                int last = (ROWS + AHEAD) * 2 - 1;
                ahead.data().buffer().putFloat(last * Float.BYTES, 9);
                float[] after = outputs(replica, past, ahead);
                int border = (AHEAD - 1) * CHANNELS;
                assertThat(Arrays.copyOfRange(after, border, after.length))
                        .isNotEqualTo(Arrays.copyOfRange(before, border, before.length));
                if (!(model instanceof ModelSpec.Mlp)) {
                    assertThat(Arrays.copyOf(after, border))
                            .isEqualTo(Arrays.copyOf(before, border));
                }
            }
        }
    }

    /** Of 10 rows, patches of 4 every 3 end with the last row, and every column counts. */
    @Test
    void anEncoderShouldReadAWholeSequenceToItsEnd() {
        ModelSpec.Transformer spec =
                new ModelSpec.Transformer(1, 8, 2, 0, ModelSpec.Transformer.Form.ENCODER, 4, 3);
        Signature sequences =
                new Signature(
                        List.of(new Input("rows", ElementType.FLOAT32, List.of(10, 2), List.of())),
                        new Target(TargetKind.CLASSES, 3, List.of("a", "b", "c")));
        try (Replica replica = replica(spec, sequences)) {
            HostArray rows = Formula.floats(5, 1, 10, 2);
            FloatBuffer before = classes(replica, rows);
            assertThat(before.remaining()).isEqualTo(3);
            for (int number : new int[] {0, 1, 18, 19}) {
                HostArray changed = Formula.floats(5, 1, 10, 2);
                changed.data().buffer().putFloat(number * Float.BYTES, 3);
                assertThat(classes(replica, changed).get(0)).isNotEqualTo(before.get(0));
            }
        }
    }

    private static FloatBuffer classes(Replica replica, HostArray rows) {
        HostArray asked = HostArray.allocate(ElementType.INT64, 1);
        FloatBuffer found = FloatBuffer.allocate(3);
        found.put(
                replica.forward(new Batch(List.of(rows), asked, 1))
                        .data()
                        .buffer()
                        .asFloatBuffer());
        return found.flip();
    }

    private static float[] outputs(Replica replica, HostArray past, HostArray known) {
        HostArray asked = Formula.floats(4, 1, AHEAD * CHANNELS);
        Batch batch = new Batch(List.of(past, known), asked, 1);
        float[] values = new float[AHEAD * CHANNELS];
        replica.forward(batch).data().buffer().asFloatBuffer().get(values);
        return values;
    }

    @Test
    void aRecurrenceShouldRefuseRowsWithoutTime() {
        assertThatThrownBy(() -> Networks.build(ModelSpec.Gru.defaults(), Shapes.rows(14, 3)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "model.family=gru reads sequences, of tokens or of rows of numbers, but the"
                                + " data gives \"x\" of shape [14]: set data.series for rows over"
                                + " time, or use mlp");
    }

    private static Replica replica(ModelSpec model, Signature signature) {
        return Replica.build(
                model, LossSpec.auto(), List.of(), signature, ReplicaOptions.of(1, Precision.FP32));
    }

    private static float[] forecast(Replica replica, float stretch, float move) {
        HostArray windows = Formula.floats(3, 2, ROWS, CHANNELS);
        ByteBuffer bytes = windows.data().buffer();
        for (int i = 0; i < windows.count(); i++) {
            int at = i * Float.BYTES;
            bytes.putFloat(at, move + stretch * bytes.getFloat(at));
        }
        float[] values = new float[2 * AHEAD * CHANNELS];
        outputs(replica, windows).get(values);
        return values;
    }

    private static FloatBuffer outputs(Replica replica, HostArray windows) {
        HostArray asked = Formula.floats(4, 2, AHEAD * CHANNELS);
        Batch batch = Formula.batch(windows, asked);
        return replica.forward(batch).data().buffer().asFloatBuffer();
    }
}
