package dev.medley.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OnnxJavaType;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import dev.medley.base.ConfigException;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.data.encoding.Cadence;
import dev.medley.data.encoding.ImageEncoding;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.encoding.SeriesEncoding.Scales;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.given.GivenModel;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.layer.Declaration;
import dev.medley.tensor.layer.Layer;
import dev.medley.tensor.layer.Linear;
import dev.medley.tensor.layer.Pass;
import dev.medley.tensor.model.Architecture;
import dev.medley.tensor.model.Network;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Images, texts and windows: what ONNX Runtime says of them raw, and what the model says. */
@Tag("real")
class NetworkExportTest {
    private static final double CLOSE = 1e-4;
    private static final int SAMPLES = 6;

    @TempDir private Path folder;

    static Stream<ModelSpec> imageModels() {
        return Stream.of(
                new ModelSpec.Cnn(List.of(4, 6), 3, List.of(8), true, 0.1),
                new ModelSpec.Mlp(List.of(8), ModelSpec.Activation.RELU, 0),
                new ModelSpec.Resnet(50));
    }

    @ParameterizedTest
    @MethodSource("imageModels")
    void pixelsShouldGetTheProbabilitiesOfAPrediction(ModelSpec model) throws Exception {
        int side = model instanceof ModelSpec.Resnet resnet && resnet.isDeep() ? 64 : 16;
        ImageEncoding encoding =
                new ImageEncoding(
                        3,
                        side,
                        side,
                        List.of("cat", "dog", "owl"),
                        List.of(0.4, 0.5, 0.6),
                        List.of(0.2, 0.3, 0.25));
        byte[] pixels = new byte[SAMPLES * encoding.pixels()];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (byte) (i * 31 + i / 97);
        }
        Batch batch = GivenModel.drawn(encoding.signature(), SAMPLES);
        var into = batch.inputs().get(0).data().buffer().asFloatBuffer();
        for (int i = 0; i < pixels.length; i++) {
            int channel = i / (side * side) % 3;
            double share = Byte.toUnsignedInt(pixels[i]) / 255.0;
            into.put(
                    (float)
                            ((share - encoding.mean().get(channel))
                                    / encoding.deviation().get(channel)));
        }
        try (LoadedModel loaded = GivenModel.trained(folder.resolve("m"), model, encoding, batch);
                OnnxSession session = OnnxSession.of(OnnxModel.of(loaded), folder)) {
            long[] shape = {SAMPLES, 3, side, side};
            ByteBuffer direct = ByteBuffer.allocateDirect(pixels.length).put(pixels).flip();
            session.with(
                    "image",
                    OnnxTensor.createTensor(
                            session.environment(), direct, shape, OnnxJavaType.UINT8));
            requireProbabilities(session, loaded.predict(batch));
            assertThat(session.texts("prediction")).hasSize(SAMPLES);
        }
    }

    static Stream<ModelSpec> textModels() {
        return Stream.of(
                new ModelSpec.Transformer(2, 8, 2, 0.1),
                new ModelSpec.Lstm(2, 8, 0),
                new ModelSpec.Gru(2, 8, 0));
    }

    @ParameterizedTest
    @MethodSource("textModels")
    void charactersShouldGetTheProbabilitiesOfTheNext(ModelSpec model) throws Exception {
        List<String> alphabet = List.of("\n", " ", "a", "b", "ß", TextEncoding.UNKNOWN);
        TextEncoding encoding = new TextEncoding(TextUnit.CHARACTERS, 12, alphabet);
        Batch batch = GivenModel.drawn(encoding.signature(), SAMPLES);
        try (LoadedModel loaded = GivenModel.trained(folder.resolve("m"), model, encoding, batch);
                OnnxSession session = OnnxSession.of(OnnxModel.of(loaded), folder)) {
            for (int length : new int[] {12, 5}) {
                String[][] characters = new String[SAMPLES][length];
                HostArray tokens = HostArray.allocate(ElementType.INT64, SAMPLES, length);
                for (int i = 0; i < SAMPLES * length; i++) {
                    int token = (i * 7 + i / 5) % alphabet.size();
                    characters[i / length][i % length] =
                            token == alphabet.size() - 1 ? "é" : alphabet.get(token);
                    tokens.data().buffer().asLongBuffer().put(i, token);
                }
                session.with("characters", characters);
                requireProbabilities(
                        session, loaded.predict(new Batch(List.of(tokens), tokens, SAMPLES)));
            }
        }
    }

    @Test
    void bytesShouldBeTokensAndUnknownCharactersRefusedWhereTheModelRefusesThem() throws Exception {
        ModelSpec model = new ModelSpec.Transformer(1, 8, 2, 0);
        TextEncoding bytes = new TextEncoding(TextUnit.BYTES, 4, List.of());
        Batch batch = GivenModel.drawn(bytes.signature(), SAMPLES);
        try (LoadedModel loaded = GivenModel.trained(folder.resolve("b"), model, bytes, batch);
                OnnxSession session = OnnxSession.of(OnnxModel.of(loaded), folder)) {
            assertThat(session.with("bytes", new long[][] {{72, 105}}).floats("probability"))
                    .hasSize(2 * 256);
        }
        TextEncoding known = new TextEncoding(TextUnit.CHARACTERS, 4, List.of("a", "b"));
        Batch letters = GivenModel.drawn(known.signature(), SAMPLES);
        try (LoadedModel loaded = GivenModel.trained(folder.resolve("c"), model, known, letters);
                OnnxSession session = OnnxSession.of(OnnxModel.of(loaded), folder)) {
            OnnxSession fed = session.with("characters", new String[][] {{"a", "z"}});
            assertThatThrownBy(() -> fed.floats("probability")).isInstanceOf(OrtException.class);
        }
    }

    @Test
    void whatIsKnownAheadShouldBeScaledAndMoveForecasts() throws Exception {
        SeriesEncoding encoding =
                new SeriesEncoding(
                        "time",
                        Cadence.of(Cadence.Unit.NUMBER, 1, 1),
                        List.of(),
                        List.of("load"),
                        List.of("price", "holiday"),
                        6,
                        3,
                        List.of(
                                new Scales(
                                        List.of(),
                                        List.of(
                                                new Scaling(100, 20, 0),
                                                new Scaling(-3, 2, 0),
                                                new Scaling(0.2, 0.4, 0)))),
                        null,
                        null,
                        List.of());
        Batch batch = GivenModel.drawn(encoding.signature(), SAMPLES);
        double[][][] past = raw(batch, 0, 6, List.of(new Scaling(100, 20, 0)));
        double[][][] known =
                raw(batch, 1, 9, List.of(new Scaling(-3, 2, 0), new Scaling(0.2, 0.4, 0)));
        ModelSpec model = new ModelSpec.Gru(1, 8, 0);
        try (LoadedModel loaded = GivenModel.trained(folder.resolve("k"), model, encoding, batch);
                OnnxSession session = OnnxSession.of(OnnxModel.of(loaded), folder)) {
            float[] said = session.with("past", past).with("known", known).floats("prediction");
            var outputs = loaded.predict(batch).data().buffer().asFloatBuffer();
            assertThat(said).hasSize(SAMPLES * 3);
            for (int i = 0; i < said.length; i++) {
                assertThat((double) said[i]).isCloseTo(100 + 20 * outputs.get(i), within(2e-3));
            }
        }
    }

    /** An input of a batch in its own units. */
    private static double[][][] raw(Batch batch, int input, int rows, List<Scaling> scales) {
        var scaled = batch.inputs().get(input).data().buffer().asFloatBuffer();
        double[][][] raw = new double[SAMPLES][rows][scales.size()];
        for (double[][] sample : raw) {
            for (double[] row : sample) {
                for (int c = 0; c < row.length; c++) {
                    row[c] = scales.get(c).centre() + scales.get(c).scale() * scaled.get();
                }
            }
        }
        return raw;
    }

    static Stream<ModelSpec> sequenceModels() {
        return Stream.of(
                new ModelSpec.Gru(1, 8, 0), new ModelSpec.Transformer(1, 8, 2, 0).ofPatches(3, 2));
    }

    @ParameterizedTest
    @MethodSource("sequenceModels")
    void sequencesShouldGetTheirLabel(ModelSpec model) throws Exception {
        Scaling scaling = new Scaling(10, 4, 0);
        SequenceEncoding encoding =
                new SequenceEncoding(
                        "day",
                        List.of("who"),
                        List.of("worth"),
                        6,
                        List.of(scaling),
                        LabelEncoding.ofClasses("colour", List.of("red", "green", "blue")));
        Batch batch = GivenModel.drawn(encoding.signature(), SAMPLES);
        var numbers = batch.inputs().get(0).data().buffer().asFloatBuffer();
        double[][][] rows = new double[SAMPLES][6][1];
        float[][][] isRow = new float[SAMPLES][6][1];
        for (int s = 0; s < SAMPLES; s++) {
            for (int i = 0; i < 6; i++) {
                boolean isHere = i >= s % 3;
                int at = (s * 6 + i) * 2;
                boolean isMissing = i == 4;
                rows[s][i][0] = isMissing ? Double.NaN : 10 + 4 * numbers.get(at);
                isRow[s][i][0] = isHere ? 1 : 0;
                numbers.put(at, isHere && !isMissing ? numbers.get(at) : 0);
                numbers.put(at + 1, isHere ? 1 : 0);
            }
        }
        try (LoadedModel loaded = GivenModel.trained(folder.resolve("s"), model, encoding, batch);
                OnnxSession session = OnnxSession.of(OnnxModel.of(loaded), folder)) {
            float[] said = session.with("rows", rows).with("is_row", isRow).floats("probability");
            var outputs = loaded.predict(batch).data().buffer().asFloatBuffer();
            for (int s = 0; s < SAMPLES; s++) {
                double sum = 0;
                for (int c = 0; c < 3; c++) {
                    sum += Math.exp(outputs.get(3 * s + c));
                }
                for (int c = 0; c < 3; c++) {
                    assertThat((double) said[3 * s + c])
                            .isCloseTo(Math.exp(outputs.get(3 * s + c)) / sum, within(1e-4));
                }
            }
        }
    }

    static Stream<ModelSpec> forecastModels() {
        return Stream.of(
                new ModelSpec.Linear(),
                new ModelSpec.Transformer(2, 8, 2, 0.1).ofPatches(4, 3),
                new ModelSpec.Lstm(1, 8, 0),
                new ModelSpec.Gru(2, 8, 0.1));
    }

    @ParameterizedTest
    @MethodSource("forecastModels")
    void windowsShouldGetForecastsInTheirOwnUnits(ModelSpec model) throws Exception {
        List<Scales> scales =
                List.of(
                        new Scales(
                                List.of("north", "1"),
                                List.of(new Scaling(100, 20, 0), new Scaling(-3, 2, 0))),
                        new Scales(
                                List.of("south", "1"),
                                List.of(new Scaling(5, 0.5, 0), new Scaling(40, 10, 0))),
                        new Scales(
                                List.of("south", "2"),
                                List.of(new Scaling(1, 1, 0), new Scaling(0, 7, 0))));
        SeriesEncoding encoding =
                new SeriesEncoding(
                        "time",
                        Cadence.of(Cadence.Unit.MOMENT, 3600, 3600),
                        List.of("site", "mast"),
                        List.of("load", "heat"),
                        List.of(),
                        9,
                        4,
                        scales,
                        null,
                        null,
                        List.of());
        Batch batch = GivenModel.drawn(encoding.signature(), SAMPLES);
        var scaled = batch.inputs().get(0).data().buffer().asFloatBuffer();
        double[][][] past = new double[SAMPLES][9][2];
        String[][] site = new String[SAMPLES][1];
        String[][] mast = new String[SAMPLES][1];
        for (int s = 0; s < SAMPLES; s++) {
            Scales own = scales.get(s % 3);
            site[s][0] = own.series().get(0);
            mast[s][0] = own.series().get(1);
            for (int i = 0; i < 18; i++) {
                Scaling scaling = own.targets().get(i % 2);
                past[s][i / 2][i % 2] = scaling.centre() + scaling.scale() * scaled.get(s * 18 + i);
            }
        }
        try (LoadedModel loaded = GivenModel.trained(folder.resolve("m"), model, encoding, batch);
                OnnxSession session = OnnxSession.of(OnnxModel.of(loaded), folder)) {
            session.with("past", past).with("site", site).with("mast", mast);
            float[] said = session.floats("prediction");
            var outputs = loaded.predict(batch).data().buffer().asFloatBuffer();
            assertThat(said).hasSize(outputs.remaining());
            for (int i = 0; i < said.length; i++) {
                Scaling scaling = scales.get(i / 8 % 3).targets().get(i % 2);
                assertThat((said[i] - scaling.centre()) / scaling.scale())
                        .isCloseTo(outputs.get(i), within(CLOSE));
            }
            mast[0][0] = "2"; // There is no north 2.
            OnnxSession fed = session.with("mast", mast);
            assertThatThrownBy(() -> fed.floats("prediction")).isInstanceOf(OrtException.class);
        }
    }

    /** A user's own, which does not tell itself in ONNX's operators. */
    public static final class Untold implements Architecture {
        private static final class Own implements Layer {
            private final Linear linear = new Linear(3L * 8 * 8, 3);

            @Override
            public void declare(Declaration declaration) {
                declaration.layer("linear", linear);
            }

            @Override
            public Tensor forward(Tensor x, Pass pass) {
                return linear.forward(x.flattenFrom(1), pass);
            }
        }

        @Override
        public Network build(Signature signature) {
            return Network.of(new Own());
        }
    }

    @Test
    void aClassThatDoesNotTellItselfShouldBeRefusedByName() throws Exception {
        ImageEncoding encoding =
                new ImageEncoding(
                        3,
                        8,
                        8,
                        List.of("a", "b", "c"),
                        List.of(0.0, 0.0, 0.0),
                        List.of(1.0, 1.0, 1.0));
        ModelSpec model = new ModelSpec.Custom(ClassSpec.of(Untold.class));
        Batch batch = GivenModel.drawn(encoding.signature(), 2);
        try (LoadedModel loaded = GivenModel.trained(folder.resolve("m"), model, encoding, batch)) {
            assertThatThrownBy(() -> OnnxModel.of(loaded))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("Untold$Own: cannot be written to ONNX");
        }
        assertThat(Files.exists(folder.resolve("model.onnx"))).isFalse();
    }

    /** Of the softmax of these outputs over their last dimension. */
    private static void requireProbabilities(OnnxSession session, HostArray outputs)
            throws OrtException {
        float[] shares = session.floats("probability");
        assertThat(shares).hasSize((int) outputs.count());
        int width = (int) outputs.shape()[outputs.shape().length - 1];
        var logits = outputs.data().buffer().asFloatBuffer();
        for (int row = 0; row < shares.length; row += width) {
            double sum = 0;
            for (int c = 0; c < width; c++) {
                sum += Math.exp(logits.get(row + c));
            }
            for (int c = 0; c < width; c++) {
                assertThat((double) shares[row + c])
                        .isCloseTo(Math.exp(logits.get(row + c)) / sum, within(CLOSE));
            }
        }
    }
}
