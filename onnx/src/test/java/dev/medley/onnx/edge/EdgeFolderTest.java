package dev.medley.onnx.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.HostArray;
import dev.medley.base.model.KMeansSpec;
import dev.medley.base.model.TreeSpec;
import dev.medley.base.table.TermSpec;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.SequenceEncoding;
import dev.medley.inference.model.LoadedModel;
import dev.medley.inference.model.Prediction;
import dev.medley.onnx.OnnxModel;
import dev.medley.onnx.given.GivenModel;
import dev.medley.onnx.given.GivenTable;
import dev.medley.onnx.given.GivenTerms;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A folder that was exported answers in a process of its own, with ONNX Runtime alone on its class
 * path, what a prediction of the same file says.
 */
@Tag("real")
class EdgeFolderTest {
    @TempDir private Path place;

    static Stream<Arguments> families() {
        ModelSpec mlp =
                new ModelSpec.Mlp(
                        List.of(12, 8),
                        ModelSpec.Activation.TANH,
                        0,
                        ModelSpec.Numeric.PERIODIC,
                        3,
                        true,
                        4);
        return Stream.of(
                Arguments.of(new ModelSpec.Linear(), "hours"),
                Arguments.of(mlp, "kind"),
                Arguments.of(new ModelSpec.Boosting(12, 0.3, TreeSpec.ofBoosting()), "income"),
                Arguments.of(new ModelSpec.Forest(6, TreeSpec.ofForest()), "hours"),
                Arguments.of(ModelSpec.Factorization.defaults(), "hours"),
                Arguments.of(new ModelSpec.KMeans(9, KMeansSpec.defaults()), ""));
    }

    @ParameterizedTest
    @MethodSource("families")
    void shouldAnswerAsAPredictionDoesWithoutMedley(ModelSpec family, String label)
            throws Exception {
        GivenTable table = GivenTable.in(place, label, family);
        Path folder = place.resolve("edge");
        try (LoadedModel model = table.trained(null)) {
            List<String> files = EdgeFolder.write(model, OnnxModel.of(model), folder);
            assertThat(files).contains("model.onnx", "encoding.json", "EdgeModel.java");
            HostArray outputs = table.predicted(model);
            Target target = model.description().signature().target();
            List<String> answers = answers(folder, table.newRows());
            int rows = (int) Files.lines(table.newRows()).count() - 1;
            assertThat(answers).hasSize(rows + 1);
            int width = (int) outputs.count() / rows;
            FloatBuffer values = outputs.data().buffer().asFloatBuffer();
            for (int i = 0; i < rows; i++) {
                float[] row = new float[width];
                values.get(row);
                Prediction expected = Prediction.of(target, null, row);
                requireSame(answers.get(i + 1).split(","), expected.row(target));
            }
        }
    }

    private static void requireSame(String[] answer, Object[] expected) {
        assertThat(answer).hasSameSizeAs(expected);
        double highest = 0;
        for (int i = 0; i < answer.length; i++) {
            if (expected[i] instanceof Double number) {
                double size = Math.max(1, Math.abs(number));
                assertThat(Double.parseDouble(answer[i])).isCloseTo(number, within(1e-4 * size));
                highest = Math.max(highest, number);
            }
        }
        boolean isClear = answer.length < 3 || isAloneAtTheTop(expected, highest);
        if (expected[0] instanceof String label && isClear) {
            assertThat(answer[0]).isEqualTo(label);
        }
    }

    /** Of equal classes either may be the answer. */
    private static boolean isAloneAtTheTop(Object[] expected, double highest) {
        return Stream.of(expected)
                        .filter(each -> each instanceof Double score && score > highest - 1e-4)
                        .count()
                == 1;
    }

    private static List<String> answers(Path folder, Path rows) throws Exception {
        String runtime =
                Path.of(
                                ai.onnxruntime.OrtEnvironment.class
                                        .getProtectionDomain()
                                        .getCodeSource()
                                        .getLocation()
                                        .toURI())
                        .toString();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        int failed =
                compiler.run(
                        null,
                        said,
                        said,
                        "-cp",
                        runtime,
                        "--release",
                        "17",
                        "-Xlint:all",
                        "-Werror",
                        folder.resolve("EdgeModel.java").toString(),
                        folder.resolve("EdgeExample.java").toString());
        assertThat(failed).as(said.toString(StandardCharsets.UTF_8)).isZero();
        Path out = folder.resolve("answers.csv");
        ProcessBuilder java =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        runtime + File.pathSeparator + folder,
                        "EdgeExample",
                        folder.toString(),
                        rows.toString());
        java.environment().put("ORT_DISABLE_TELEMETRY", "1");
        java.environment().remove("CLASSPATH");
        Process process =
                java.redirectError(folder.resolve("errors.txt").toFile())
                        .redirectOutput(out.toFile())
                        .start();
        assertThat(process.waitFor()).as(Files.readString(folder.resolve("errors.txt"))).isZero();
        return Files.readAllLines(out);
    }

    /** Notes by words, users by hashes; both have what training has not seen, and lack some. */
    @ParameterizedTest
    @CsvSource({"true,false", "false,true"})
    void wordsAndHashesShouldGetTheAnswersOfAPrediction(boolean isLinear, boolean areHashed)
            throws Exception {
        List<String> notes =
                List.of(
                        "Good good tea",
                        "bad TEA_2 cake!",
                        "",
                        "\u00e9t\u00e9 \u00fc x cake",
                        "a \u0915\u093f\u0924\u093e\u092c");
        List<String> users = List.of("1.0", "10", "Ann of \u00c5land", "", "True", "01", "?");
        List<String> lines = new ArrayList<>(List.of("size,note,user,label"));
        for (int i = 0; i < 60; i++) {
            String label = i % 5 < 2 ? "yes" : "no";
            String user = users.get(i * 3 % 7) + (i % 13 == 0 ? i : "");
            lines.add("%d.5,%s,%s,%s".formatted(i * 7 % 11, notes.get(i % 5), user, label));
        }
        Path file = Files.write(place.resolve("rows.csv"), lines);
        ModelSpec family =
                isLinear
                        ? new ModelSpec.Linear()
                        : new ModelSpec.Boosting(6, 0.3, TreeSpec.ofBoosting());
        List<String> hashed = areHashed ? List.of("user", "note") : List.of("user");
        TermSpec terms = new TermSpec(1, 0, List.of("note"), hashed, 50, 4, isLinear);
        DataSpec spec = GivenTerms.spec(DataFormat.CSV, file, "label", terms);
        Path folder = place.resolve("edge");
        GivenTerms.Learnt learnt = GivenTerms.learnt(place, family, spec, 60);
        try (LoadedModel model = learnt.model()) {
            EdgeFolder.write(model, OnnxModel.of(model), folder);
            assertThat(folder.resolve("model.encoding.json")).doesNotExist();
            float[] outputs = learnt.outputs();
            List<String> answers = answers(folder, file);
            Target target = model.description().signature().target();
            for (int i = 0; i < outputs.length; i++) {
                Prediction expected = Prediction.of(target, null, new float[] {outputs[i]});
                requireSame(answers.get(i + 1).split(","), expected.row(target));
            }
            assertThat(answers.stream().distinct().count()).isGreaterThan(2);
        }
    }

    @Test
    void otherDataThanTablesShouldBeRefused() throws Exception {
        SequenceEncoding sequences =
                new SequenceEncoding(
                        "day",
                        List.of("who"),
                        List.of("spent"),
                        3,
                        List.of(Scaling.NONE),
                        LabelEncoding.ofClasses("left", List.of("no", "yes")));
        Batch batch = GivenModel.drawn(sequences.signature(), 4);
        try (LoadedModel model =
                GivenModel.trained(
                        place.resolve("m"), new ModelSpec.Gru(1, 4, 0), sequences, batch)) {
            assertThatThrownBy(() -> EdgeFolder.table(model))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage(
                            "--edge is for models of tables, and %s reads sequences over time: take"
                                    + " --onnx FILE",
                            place.resolve("m"));
        }
    }

    @Test
    void shouldReplaceAnEarlierExportAndNothingElse() throws Exception {
        GivenTable table = GivenTable.in(place, "hours", new ModelSpec.Linear());
        Path folder = place.resolve("edge");
        try (LoadedModel model = table.trained(null)) {
            OnnxModel onnx = OnnxModel.of(model);
            EdgeFolder.write(model, onnx, folder);
            EdgeFolder.write(model, onnx, folder);
            Path others = Files.createDirectory(place.resolve("others"));
            Files.writeString(others.resolve("letter.txt"), "dear");
            assertThatThrownBy(() -> EdgeFolder.write(model, onnx, others))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("holds other files");
            assertThat(others.resolve("letter.txt")).exists();
        }
    }
}
