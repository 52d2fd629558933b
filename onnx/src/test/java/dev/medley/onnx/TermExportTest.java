package dev.medley.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Json;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.model.TreeSpec;
import dev.medley.base.table.TermSpec;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.given.GivenTerms;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Words, hashes and pairs: terms that are made by the encoding beside the file alone get the
 * answers of a prediction.
 */
@Tag("real")
class TermExportTest {
    private static final double CLOSE = 1e-4;
    private static final int ROWS = 40;

    @TempDir private Path folder;

    static Stream<ModelSpec> families() {
        return Stream.of(
                new ModelSpec.Linear(),
                new ModelSpec.Mlp(List.of(6), ModelSpec.Activation.RELU, 0),
                new ModelSpec.Boosting(4, 0.3, TreeSpec.ofBoosting()));
    }

    @ParameterizedTest
    @MethodSource("families")
    void textsShouldGetTheAnswersOfAPrediction(ModelSpec model) throws Exception {
        List<String> lines = new ArrayList<>(List.of("size,note,user,label"));
        List<String> notes = List.of("Good good tea", "bad TEA_2 cake", "", "cake é_ü x cake");
        List<String> users = List.of("1.0", "10", "Ann", "", "True");
        for (int i = 0; i < ROWS; i++) {
            lines.add(
                    "%d.5,%s,%s,%s"
                            .formatted(
                                    i * 7 % 11,
                                    notes.get(i % 4),
                                    users.get(i * 3 % 5),
                                    i % 4 < 2 ? "yes" : "no"));
        }
        Path file = Files.write(folder.resolve("rows.csv"), lines);
        TermSpec terms =
                new TermSpec(1, 0, List.of("note"), List.of("user"), 50, 4, isSparse(model));
        DataSpec spec = GivenTerms.spec(DataFormat.CSV, file, "label", terms);
        try (Case given = new Case(model, spec)) {
            double[][] size = new double[ROWS][1];
            List<Map<String, String>> rows = new ArrayList<>();
            for (int i = 0; i < ROWS; i++) {
                String[] cells = lines.get(i + 1).split(",", -1);
                size[i][0] = Double.parseDouble(cells[0]);
                rows.add(Map.of("note", cells[1], "user", cells[2]));
            }
            given.session.with("size", size);
            given.requireSame(rows);
        }
    }

    @ParameterizedTest
    @MethodSource("families")
    void pairsShouldGetTheAnswersOfAPrediction(ModelSpec model) throws Exception {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < ROWS; i++) {
            String more = i % 5 == 0 ? "" : " %d:0.25 3:-%d.5".formatted(4 + i % 7, i % 4);
            lines.add("%d %d:1%s".formatted(i % 3 == 0 ? 1 : 0, 1 + i % 2, more));
        }
        Path file = Files.write(folder.resolve("rows.svm"), lines);
        TermSpec terms = isSparse(model) ? TermSpec.sparseDefaults() : TermSpec.defaults();
        try (Case given = new Case(model, GivenTerms.spec(DataFormat.LIBSVM, file, null, terms))) {
            given.requireSame(
                    lines.stream().map(line -> Map.of("features", line.substring(2))).toList());
        }
    }

    private static boolean isSparse(ModelSpec model) {
        return model instanceof ModelSpec.Linear;
    }

    /** A model of a file, its export, and what it says of the file's rows itself. */
    private final class Case implements AutoCloseable {
        private final LoadedModel loaded;
        private final OnnxSession session;
        private final float[] expected;
        private final JsonNode encoding;

        Case(ModelSpec model, DataSpec spec) throws Exception {
            GivenTerms.Learnt learnt = GivenTerms.learnt(folder, model, spec, ROWS);
            loaded = learnt.model();
            expected = learnt.outputs();
            OnnxModel onnx = OnnxModel.of(loaded);
            session = OnnxSession.of(onnx, folder);
            Path beside = folder.resolve("model.encoding.json");
            assertThat(onnx.beside(folder.resolve("model.onnx"))).containsExactly(beside);
            encoding = Json.parse(Files.readAllBytes(beside), JsonNode.class);
        }

        void requireSame(List<Map<String, String>> rows) throws Exception {
            List<Map<Integer, Double>> terms = rows.stream().map(this::terms).toList();
            int slots = terms.stream().mapToInt(Map::size).max().orElseThrow();
            assertThat(slots).isPositive();
            float[][][] array = new float[ROWS][slots][2];
            for (int i = 0; i < ROWS; i++) {
                int slot = 0;
                for (Map.Entry<Integer, Double> term : terms.get(i).entrySet()) {
                    array[i][slot][0] = term.getKey();
                    array[i][slot++][1] = term.getValue().floatValue();
                }
            }
            session.with(encoding.path("input").asString(), array);
            float[] said = session.floats("probability");
            assertThat(said).hasSize(2 * ROWS);
            assertThat(Stream.of(said[1], said[3], said[5]).distinct().count()).isGreaterThan(1);
            for (int i = 0; i < ROWS; i++) {
                double probability = 1 / (1 + Math.exp(-expected[i]));
                assertThat((double) said[2 * i + 1]).isCloseTo(probability, within(CLOSE));
            }
        }

        /** As the file says how, and nothing else. */
        private Map<Integer, Double> terms(Map<String, String> row) {
            Map<Integer, Double> all = new TreeMap<>();
            for (JsonNode column : encoding.path("columns")) {
                String text = row.get(column.path("name").asString());
                Map<Integer, Double> own = new TreeMap<>();
                switch (column.path("kind").asString()) {
                    case "words" -> words(text, column, own);
                    case "hashed value" -> hashed(text, column, own);
                    default -> pairs(text, column, own);
                }
                own.forEach((at, value) -> all.put(at + column.path("from").asInt(), value));
            }
            return all;
        }

        private static void words(String text, JsonNode column, Map<Integer, Double> own) {
            List<String> known = new ArrayList<>();
            column.path("vocabulary").forEach(word -> known.add(word.asString()));
            Matcher words =
                    Pattern.compile("\\w\\w+", Pattern.UNICODE_CHARACTER_CLASS)
                            .matcher(text.toLowerCase(java.util.Locale.ROOT));
            while (words.find()) {
                int place = known.indexOf(words.group());
                if (place >= 0) {
                    own.merge(place, column.path("idf").path(place).asDouble(), Double::sum);
                }
            }
            double squares = own.values().stream().mapToDouble(value -> value * value).sum();
            own.replaceAll((at, value) -> value / Math.sqrt(squares));
        }

        private static void hashed(String text, JsonNode column, Map<Integer, Double> own) {
            if (!text.isEmpty()) {
                String form =
                        Map.of("1.0", "1", "10", "1E+1", "True", "true").getOrDefault(text, text);
                int hash = murmur(form.getBytes(StandardCharsets.UTF_8));
                own.put(Math.abs(hash) % column.path("width").asInt(), hash < 0 ? -1.0 : 1.0);
            }
        }

        private static void pairs(String text, JsonNode column, Map<Integer, Double> own) {
            for (String pair : text.split(" ", -1)) {
                String[] parts = pair.split(":", -1);
                int at = Integer.parseInt(parts[0]) - column.path("first").asInt();
                own.put(at, Double.parseDouble(parts[1]));
            }
        }

        /** Of at most four bytes. */
        private static int murmur(byte[] text) {
            int word = 0;
            for (int i = text.length - 1; i >= 0; i--) {
                word = word << 8 | text[i] & 0xff;
            }
            int hash = Integer.rotateLeft(word * 0xcc9e2d51, 15) * 0x1b873593;
            if (text.length == 4) {
                hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
            }
            hash ^= text.length;
            hash = (hash ^ hash >>> 16) * 0x85ebca6b;
            hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
            return hash ^ hash >>> 16;
        }

        @Override
        public void close() throws Exception {
            session.close();
            loaded.close();
        }
    }
}
