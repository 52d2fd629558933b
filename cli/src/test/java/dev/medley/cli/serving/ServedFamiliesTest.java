package dev.medley.cli.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.cli.Pipeline;
import dev.medley.cli.Said;
import dev.medley.serving.explain.ExplainLimits;
import dev.medley.serving.http.ServeObservers;
import dev.medley.serving.log.LogOptions;
import dev.medley.serving.log.Masks;
import dev.medley.serving.log.RequestLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Every family that reads rows, trained small: a server answers for rows what {@code medley
 * predict} writes for a file that has them.
 */
@Tag("real")
@Timeout(120)
class ServedFamiliesTest {
    private static final double CLOSE = 2e-4;

    @TempDir private Path folder;

    static Stream<Arguments> families() {
        return Stream.of(
                table("linear", "label: price", "linear"),
                table("mlp of classes", "label: kind", "{family: mlp, hidden: [8]}"),
                table("boosting", "label: sold", "{family: boosting, rounds: 4}"),
                table("forest", "label: kind", "{family: forest, trees: 4}"),
                table("k-means", "table: {drop: [note]}", "{family: kmeans, k: 3}"),
                table("factorization", "label: price", "factorization"),
                table("ranking", "label: grade, group: shop", "{family: boosting, rounds: 4}"),
                table("words", "label: sold, table: {text: [note]}", "linear"),
                table("words in a network", "label: price, table: {text: [note]}", "mlp"),
                table("hashes", "label: sold, table: {hashed: [shop]}", "linear"),
                Arguments.of(
                        "texts",
                        texts(),
                        "label: mood, text: {column: said}",
                        "{family: transformer, form: encoder}"),
                series("series, linear", "linear", "by: place, targets: level"),
                series("series, mlp", "mlp", "by: place"),
                series(
                        "series, patches",
                        "{family: transformer, form: encoder, patch: 4}",
                        "by: place"),
                series("series, lstm", "{family: lstm, layers: 1, width: 8}", "by: place"),
                series("series with scales", "linear", "by: place, scaling: series"),
                Arguments.of("sequences", sequences(), sequence(), "{family: gru, width: 8}"),
                Arguments.of("sequences, mlp", sequences(), sequence(), "mlp"));
    }

    private static Arguments table(String name, String data, String model) {
        return Arguments.of(name, rows(), data, model);
    }

    private static Arguments series(String name, String model, String series) {
        return Arguments.of(
                name,
                hours(),
                "series: {time: hour, look_back: 12, horizon: 3, " + series + "}",
                model);
    }

    private static String sequence() {
        return "label: rises, series: {time: day, by: who, look_back: 6}";
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("families")
    void shouldAnswerAsAPredictionDoes(String name, String csv, String data, String model)
            throws Exception {
        Pipeline here = new Pipeline(folder);
        Path file = Files.writeString(folder.resolve("rows.csv"), csv);
        String job =
                here.job(
                        "job.yaml",
                        """
                        data: {train: rows.csv, %s}
                        model: %s
                        %s
                        cluster: {workers: 1}
                        """
                                .formatted(data, model, steps(model)));
        here.trained(job);
        List<Map<String, Object>> given = objects(csv);
        Path lines = folder.resolve("asked.jsonl");
        StringBuilder all = new StringBuilder();
        given.forEach(row -> all.append(Json.line(row)).append('\n'));
        Files.writeString(lines, all);
        try (RunServer server = RunServer.of(folder.resolve("runs"))) {
            List<JsonNode> ofFile = predicted(here, file);
            assertEqual(rowsOfCsv(server.post("m:rows", csv, "text/csv")), ofFile);
            List<JsonNode> ofLines = predicted(here, lines);
            String json = Json.line(given);
            assertEqual(
                    list(
                            Json.parse(
                                            server.post("m:rows", json, "application/json"),
                                            JsonNode.class)
                                    .path("rows")),
                    ofLines);
            if (data.contains("series: {")) {
                String instances = Json.line(Map.of("instances", given));
                String first = server.post("m:predict", instances, "application/json");
                assertEqual(list(Json.parse(first, JsonNode.class).path("predictions")), ofLines);
            }
            List<JsonNode> streamed = new ArrayList<>();
            server.post("m:rows", all.toString(), "application/x-ndjson")
                    .lines()
                    .forEach(line -> streamed.add(Json.parse(line, JsonNode.class)));
            assertEqual(streamed, ofLines);
        }
    }

    @Test
    void shouldSayWhichRowsOfASeriesDoNotFit() throws Exception {
        Pipeline here = new Pipeline(folder);
        Files.writeString(folder.resolve("rows.csv"), hours());
        String data =
                "{train: rows.csv, series: {time: hour, look_back: 12, horizon: 3, by: place,"
                        + " scaling: series}}";
        String yaml =
                "data: %s\nmodel: linear\n%s\ncluster: {workers: 1}\n"
                        .formatted(data, steps("linear"));
        here.trained(here.job("job.yaml", yaml));
        try (RunServer server = RunServer.of(folder.resolve("runs"))) {
            String head = "hour,place,level,flow\n";
            String few = head + "2024-01-01 00:00:00,bay,1,1\n2024-01-01 01:00:00,bay,1,1\n";
            assertRefused(server, "", "is empty");
            assertRefused(server, head, "rows");
            assertRefused(server, few, "'bay' has 2 rows", "the 12 that the model looks back on");
            assertRefused(server, few.replace("hour", "our"), "hour", "no such column");
            assertRefused(server, few.replace("level", "lev"), "level");
            assertRefused(server, few.replace("bay,1", "bay,x"), "column 'level'", "\"x\"");
            assertRefused(server, hours().replace("cape", "ape"), "'ape' was not in training");
            assertThat(server.refused("m:rows", "[]", "application/json")).contains("no rows");
            assertThat(server.refused("m:predict", "[{\"level\":1}]", "application/json"))
                    .contains("hour");
        }
        Path log = folder.resolve("log.jsonl");
        try (RequestLog written =
                        RequestLog.open(
                                LogOptions.to(log, 1),
                                new Masks(Set.of("flow")),
                                Clock.system(),
                                said -> {});
                RunServer server =
                        RunServer.of(
                                Map.of("m", folder.resolve("runs")),
                                new ServeObservers(ExplainLimits.USUAL, written, null))) {
            server.post("m:rows", hours(), "text/csv");
            server.post("m:rows", Json.line(objects(hours())), "application/json");
        }
        assertLogged(Files.readAllLines(log));
    }

    /** A line for each series, with its own history. */
    private static void assertLogged(List<String> lines) {
        assertThat(lines).hasSize(6);
        for (String line : lines) {
            JsonNode inputs = Json.parse(line, JsonNode.class).path("inputs");
            assertThat(inputs.path("level").size()).as(line).isEqualTo(96);
            Set<String> places = new HashSet<>();
            inputs.path("place").forEach(place -> places.add(place.asString()));
            assertThat(places).as(line).hasSize(1);
            assertThat(inputs.path("flow").asString()).isEqualTo("***");
        }
    }

    /** Nothing of where the server keeps files is told. */
    private static void assertRefused(RunServer server, String csv, String... words)
            throws Exception {
        assertThat(server.refused("m:rows", csv, "text/csv"))
                .contains(words)
                .doesNotContain("/tmp", "medley-rows", ".csv");
    }

    /** Few, of families that take steps. */
    private static String steps(String model) {
        boolean hasRounds = Stream.of("boosting", "forest", "kmeans").anyMatch(model::contains);
        return hasRounds ? "" : "train: {steps: 4, batch: 16}";
    }

    private List<JsonNode> predicted(Pipeline here, Path file) throws Exception {
        Path out = folder.resolve("out.jsonl");
        Said said = here.medley("predict", "latest", "" + file, "-o", "" + out);
        assertThat(said.exitCode()).as(said.err()).isZero();
        List<JsonNode> rows = new ArrayList<>();
        for (String line : Files.readAllLines(out)) {
            rows.add(Json.parse(line, JsonNode.class));
        }
        return rows;
    }

    /** Whatever the server says of a row is in the file's row, too. */
    private static void assertEqual(List<JsonNode> served, List<JsonNode> ofFile) {
        assertThat(served).hasSameSizeAs(ofFile).isNotEmpty();
        for (int row = 0; row < served.size(); row++) {
            assertThat(served.get(row).size()).isPositive();
            for (String column : served.get(row).propertyNames()) {
                JsonNode own = served.get(row).path(column);
                JsonNode other = ofFile.get(row).path(column);
                if (other.isNumber() || own.isNumber()) {
                    double number = Double.parseDouble(other.asString());
                    assertThat(Double.parseDouble(own.asString()))
                            .as("%s of row %d", column, row)
                            .isEqualTo(number, within(CLOSE * Math.max(1, Math.abs(number))));
                } else {
                    assertThat(own.asString())
                            .as("%s of row %d", column, row)
                            .isEqualTo(other.asString());
                }
            }
        }
    }

    private static List<JsonNode> list(JsonNode array) {
        List<JsonNode> all = new ArrayList<>();
        array.forEach(all::add);
        return all;
    }

    private static List<JsonNode> rowsOfCsv(String csv) {
        List<JsonNode> all = new ArrayList<>();
        objects(csv).forEach(row -> all.add(Json.tree(row)));
        return all;
    }

    /** Objects of a table without quotes; numbers as such, empty cells as null. */
    private static List<Map<String, Object>> objects(String csv) {
        List<String> lines = csv.lines().toList();
        String[] names = lines.get(0).split(",", -1);
        List<Map<String, Object>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            Map<String, Object> row = new LinkedHashMap<>();
            for (int i = 0; i < names.length; i++) {
                row.put(names[i], value(cells[i]));
            }
            rows.add(row);
        }
        return rows;
    }

    private static Object value(String cell) {
        if (cell.matches("-?[0-9]+")) {
            return Long.valueOf(cell);
        }
        boolean isNumber = cell.matches("-?[0-9]+\\.[0-9]+([eE]-?[0-9]+)?");
        return cell.isEmpty() ? null : isNumber ? (Object) Double.valueOf(cell) : cell;
    }

    private static String rows() {
        StringBuilder text = new StringBuilder("shop,size,since,note,sold,kind,grade,price\n");
        String[] notes = {"good and cheap", "a long way off", "", "cheap cheap good colour"};
        for (int i = 0; i < 120; i++) {
            int size = (i * 37 + i / 7) % 50;
            text.append(
                    "s%d,%s,2024-%02d-%02d,%s,%s,%s,%d,%.2f\n"
                            .formatted(
                                    i / 10,
                                    i % 11 == 0 ? "" : "" + size,
                                    1 + i % 12,
                                    1 + i % 28,
                                    notes[i % 4],
                                    size < 25 ? "no" : "yes",
                                    List.of("red", "green", "blue").get(i % 3),
                                    i % 4,
                                    size * 1.5 + i % 3));
        }
        return text.toString();
    }

    private static String texts() {
        StringBuilder text = new StringBuilder("said,mood\n");
        String[] good = {"what a fine day", "well done", "I like it"};
        String[] bad = {"what a sad day", "badly done", "I hate it"};
        for (int i = 0; i < 60; i++) {
            boolean isGood = i % 2 == 0;
            text.append(
                    "%s %d,%s\n"
                            .formatted(
                                    (isGood ? good : bad)[i % 3], i % 5, isGood ? "up" : "down"));
        }
        return text.toString();
    }

    private static String hours() {
        StringBuilder text = new StringBuilder("hour,place,level,flow\n");
        for (int hour = 0; hour < 96; hour++) {
            for (String place : List.of("bay", "cape", "7")) {
                text.append(
                        "2024-01-%02d %02d:00:00,%s,%.4f,%.4f\n"
                                .formatted(
                                        1 + hour / 24,
                                        hour % 24,
                                        place,
                                        3 + place.length() * Math.sin(hour / 3.0),
                                        hour % 7 + place.length() / 2.0));
            }
        }
        return text.toString();
    }

    private static String sequences() {
        StringBuilder text = new StringBuilder("who,day,value,rises\n");
        for (int who = 0; who < 40; who++) {
            boolean rises = who % 2 == 0;
            for (int day = 0; day < 3 + who % 6; day++) {
                double value = who % 5 + (rises ? 1 : -1) * day * 0.5;
                text.append("%d,%d,%.3f,%s\n".formatted(who, day, value, rises ? "yes" : "no"));
            }
        }
        return text.toString();
    }
}
