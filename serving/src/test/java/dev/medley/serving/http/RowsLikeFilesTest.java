package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Json;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.HostArray;
import dev.medley.base.model.TreeSpec;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.given.GivenTable;
import java.nio.FloatBuffer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Answers to rows that callers send are those of a prediction for the file that has the rows. */
@Tag("real")
class RowsLikeFilesTest {
    private static final double CLOSE = 2e-4;
    private static final String ROWS = "/v1/models/m:rows";

    /** Hours, of which a model gives the rate. */
    private static final String COUNTS = "rate of hours";

    @TempDir private Path folder;

    static Stream<Arguments> models() {
        ModelSpec boosting = new ModelSpec.Boosting(12, 0.3, TreeSpec.ofBoosting());
        return Stream.of(
                Arguments.of(
                        new ModelSpec.Mlp(List.of(12, 8), ModelSpec.Activation.GELU, 0.1), "kind"),
                Arguments.of(mlp(ModelSpec.Numeric.PIECEWISE, 3, 0), "income"),
                Arguments.of(mlp(ModelSpec.Numeric.PERIODIC, 0, 4), "kind"),
                Arguments.of(mlp(ModelSpec.Numeric.PERIODIC, 0, 4), "hours"),
                Arguments.of(new ModelSpec.Linear(), "income"),
                Arguments.of(new ModelSpec.Linear(), "hours"),
                Arguments.of(new ModelSpec.Linear(), COUNTS),
                Arguments.of(boosting, COUNTS),
                Arguments.of(boosting, "income"),
                Arguments.of(new ModelSpec.Forest(6, TreeSpec.ofForest()), "kind"),
                Arguments.of(ModelSpec.Factorization.defaults(), "hours"));
    }

    private static ModelSpec mlp(ModelSpec.Numeric numeric, int embed, int ensemble) {
        return new ModelSpec.Mlp(
                List.of(12, 8), ModelSpec.Activation.RELU, 0, numeric, embed, true, ensemble);
    }

    @ParameterizedTest
    @MethodSource("models")
    void shouldAnswerAsAPredictionDoes(ModelSpec model, String what) throws Exception {
        String label = what.equals(COUNTS) ? "hours" : what;
        GivenTable table =
                what.equals(COUNTS)
                        ? GivenTable.ofCounts(folder, model)
                        : GivenTable.in(folder, label, model);
        float[] outputs;
        try (LoadedModel loaded = table.trained(null)) {
            HostArray predicted = table.predicted(loaded);
            FloatBuffer floats = predicted.data().buffer().asFloatBuffer();
            outputs = new float[floats.remaining()];
            floats.get(outputs);
        }
        try (GivenServer server = GivenServer.of(folder.resolve("model"), null)) {
            String csv = Files.readString(table.newRows());
            GivenServer.Answer ofCsv = server.post(ROWS, csv, "text/csv");
            assertThat(ofCsv.status()).as(ofCsv.body()).isEqualTo(200);
            List<String> lines = ofCsv.body().lines().toList();
            GivenServer.Answer ofJson = server.post(ROWS, json(csv), "application/json");
            assertThat(ofJson.status()).as(ofJson.body()).isEqualTo(200);
            JsonNode rows = Json.parse(ofJson.body(), JsonNode.class).path("rows");
            JsonNode arrays = server.infer(table.arrays());
            int count = rows.size();
            int width = outputs.length / count;
            assertThat(lines).hasSize(count + 1);
            for (int row = 0; row < count; row++) {
                double first = first(outputs, row, width, label);
                String[] cells = lines.get(row + 1).split(",", -1);
                assertThat(Double.parseDouble(cells[label.equals("hours") ? 0 : 1]))
                        .isEqualTo(first, within(CLOSE * Math.max(1, Math.abs(first))));
                assertThat(number(rows.get(row), label))
                        .isEqualTo(first, within(CLOSE * Math.max(1, Math.abs(first))));
                JsonNode numbers = arrays.get(label.equals("hours") ? 0 : 1).path("data");
                assertThat(numbers.get(row * (numbers.size() / count)).asDouble())
                        .isEqualTo(first, within(CLOSE * Math.max(1, Math.abs(first))));
            }
        }
    }

    /** The number, or the probability of the first class. */
    private static double first(float[] outputs, int row, int width, String label) {
        if (width == 1) {
            return label.equals("income") ? 1 / (1 + Math.exp(outputs[row])) : outputs[row];
        }
        double sum = 0;
        for (int i = 0; i < width; i++) {
            sum += Math.exp(outputs[row * width + i] - outputs[row * width]);
        }
        return 1 / sum;
    }

    private static double number(JsonNode row, String label) {
        List<JsonNode> values = new ArrayList<>();
        row.forEach(values::add);
        return values.get(label.equals("hours") ? 0 : 1).asDouble();
    }

    /** Rows as objects: numbers as such, what is missing as null or not there. */
    private static String json(String csv) {
        List<String> lines = csv.lines().toList();
        String[] names = lines.get(0).split(",", -1);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            Map<String, Object> row = new LinkedHashMap<>();
            for (int i = 0; i < names.length; i++) {
                if (!cells[i].isEmpty()) {
                    boolean isNumber = names[i].equals("age") || names[i].equals("size");
                    row.put(names[i], isNumber ? Double.valueOf(cells[i]) : cells[i]);
                }
            }
            rows.add(row);
        }
        return Json.line(rows);
    }

    @Test
    void shouldGiveTheProbabilityOfTwoClassesByLogit() throws Exception {
        GivenTable table = GivenTable.in(folder, "income", new ModelSpec.Linear());
        float[] outputs = new float[60];
        try (LoadedModel loaded = table.trained(null)) {
            table.predicted(loaded).data().buffer().asFloatBuffer().get(outputs);
        }
        try (GivenServer server = GivenServer.of(folder.resolve("model"), "libtorch")) {
            JsonNode probability = server.infer(table.arrays()).get(1).path("data");
            for (int row = 0; row < outputs.length; row++) {
                assertThat(probability.get(2 * row + 1).asDouble())
                        .isEqualTo(1 / (1 + Math.exp(-outputs[row])), within(1e-6));
            }
            String csv = Files.readString(table.newRows());
            for (String charset : List.of("utf-16", "iso-8859-1")) {
                byte[] written = csv.getBytes(Charset.forName(charset));
                String type = "text/csv; charset=" + charset;
                assertThat(server.post(ROWS, written, "Content-Type", type).body())
                        .isEqualTo(server.post(ROWS, csv, "text/csv").body());
            }
            GivenServer.Answer unknown = server.post(ROWS, csv, "text/csv; charset=none-such");
            assertThat(unknown.status()).as(unknown.body()).isEqualTo(400);
        }
    }
}
