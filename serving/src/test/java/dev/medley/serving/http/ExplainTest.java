package dev.medley.serving.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Json;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.memory.HostArray;
import dev.medley.base.model.KMeansSpec;
import dev.medley.base.model.TreeSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.inference.explain.ReferenceSample;
import dev.medley.inference.model.LoadedModel;
import dev.medley.onnx.given.GivenModel;
import dev.medley.onnx.given.GivenTable;
import dev.medley.serving.explain.ExplainLimits;
import dev.medley.serving.host.ServeLimits;
import dev.medley.store.file.AtomicFile;
import dev.medley.store.model.ModelFolder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** What columns add to a prediction adds up to it, whatever the model. */
@Tag("real")
class ExplainTest {
    private static final String EXPLAIN = "/v1/models/m:explain";
    private static final String ONE =
            "{\"age\":30,\"size\":5000,\"member\":true,\"since\":\"2001-02-03\","
                    + "\"colour\":\"red\",\"town\":\"town"
                    + " 1\"}";

    @TempDir private Path folder;

    static Stream<Arguments> models() {
        ModelSpec boosting = new ModelSpec.Boosting(12, 0.3, TreeSpec.ofBoosting());
        ModelSpec forest = new ModelSpec.Forest(6, TreeSpec.ofForest());
        ModelSpec mlp = new ModelSpec.Mlp(List.of(12, 8), ModelSpec.Activation.GELU, 0.1);
        ModelSpec factors = ModelSpec.Factorization.defaults();
        ModelSpec kmeans = new ModelSpec.KMeans(4, KMeansSpec.defaults());
        return Stream.of(
                Arguments.of(boosting, "income", "TreeSHAP"),
                Arguments.of(boosting, "kind", "TreeSHAP"),
                Arguments.of(boosting, "hours", "TreeSHAP"),
                Arguments.of(forest, "income", "TreeSHAP"),
                Arguments.of(forest, "kind", "TreeSHAP"),
                Arguments.of(forest, "hours", "TreeSHAP"),
                Arguments.of(new ModelSpec.Linear(), "income", "linear"),
                Arguments.of(new ModelSpec.Linear(), "kind", "linear"),
                Arguments.of(new ModelSpec.Linear(), "hours", "linear"),
                Arguments.of(mlp, "kind", "permutations"),
                Arguments.of(mlp, "income", "permutations"),
                Arguments.of(factors, "hours", "permutations"),
                Arguments.of(kmeans, "", "permutations"));
    }

    /** Trains, and puts rows of reference beside where {@code model} wants them. */
    private float[] trained(GivenTable table, ModelSpec model) throws Exception {
        try (LoadedModel loaded = table.trained(null)) {
            if (ReferenceSample.isFor(model)) {
                TableEncoding encoding = (TableEncoding) loaded.encoding();
                ReferenceSample reference = new ReferenceSample(encoding, 1);
                reference.seen(GivenModel.drawn(encoding.signature(), 30));
                for (ModelFolder.Beside each : reference.beside()) {
                    AtomicFile.write(
                            loaded.folder().resolve(each.name()), each.bytes(), each.content());
                }
            }
            HostArray predicted = table.predicted(loaded);
            FloatBuffer floats = predicted.data().buffer().asFloatBuffer();
            float[] outputs = new float[floats.remaining()];
            floats.get(outputs);
            return outputs;
        }
    }

    @ParameterizedTest
    @MethodSource("models")
    void shouldAddUpToTheOutput(ModelSpec model, String label, String method) throws Exception {
        GivenTable table = GivenTable.in(folder, label, model);
        float[] outputs = trained(table, model);
        boolean areShares = model instanceof ModelSpec.Forest && !label.equals("hours");
        try (GivenServer server = GivenServer.of(folder.resolve("model"), "libtorch")) {
            String csv = Files.readString(table.newRows());
            GivenServer.Answer answer = server.post(EXPLAIN, csv, "text/csv");
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            JsonNode all = answer.json();
            assertThat(all.path("method").asString()).contains(method);
            JsonNode rows = all.path("explanations");
            int width = outputs.length / rows.size();
            for (int row = 0; row < rows.size(); row++) {
                JsonNode one = rows.get(row);
                double sum = one.path("base").asDouble();
                assertThat(one.path("contributions").size()).isEqualTo(6);
                for (JsonNode each : one.path("contributions")) {
                    sum += each.asDouble();
                }
                double told = one.path("sum").asDouble();
                double size = Math.max(1, Math.abs(told));
                assertThat(sum).isCloseTo(told, within(1e-5 * size));
                double output = output(one.path("output").asString(), outputs, row, width);
                double expected = areShares ? share(output, width, one) : output;
                assertThat(told).isCloseTo(expected, within(2e-5 * Math.max(1, Math.abs(output))));
            }
            assertThat(server.post(EXPLAIN, csv, "text/csv").body()).isEqualTo(answer.body());
        }
    }

    /** What the model says of an output, by its name. */
    private static double output(String name, float[] outputs, int row, int width) {
        return switch (name) {
            case "high" -> -outputs[row]; // The first of two.
            case "low", "prediction" -> outputs[row];
            case "distance" -> outputs[row * width + 1];
            default -> outputs[row * width + name.charAt(0) - 'a'];
        };
    }

    /** Of a forest the logarithm is told, or the log-odds, cut at a millionth. */
    private static double share(double output, int width, JsonNode one) {
        double share = width == 1 ? 1 / (1 + Math.exp(-output)) : Math.exp(output);
        boolean isCut = Math.abs(share - 0.5) > 0.499;
        return isCut ? one.path("sum").asDouble() : share;
    }

    @Test
    void shouldExplainTheOutputThatIsAskedFor() throws Exception {
        GivenTable table = GivenTable.in(folder, "income", new ModelSpec.Linear());
        trained(table, new ModelSpec.Linear());
        try (GivenServer server = GivenServer.of(folder.resolve("model"), "libtorch")) {
            JsonNode high = explained(server, "{\"rows\":[" + ONE + "],\"output\":\"high\"}", "");
            JsonNode low =
                    explained(server, "{\"output\":\"low\",\"instances\":[" + ONE + "]}", "");
            assertThat(explained(server, ONE, "?output=low")).isEqualTo(low);
            assertThat(high.path("output").asString()).isEqualTo("high");
            assertThat(low.path("sum").asDouble()).isEqualTo(-high.path("sum").asDouble());
            assertThat(low.path("contributions").path("age").asDouble())
                    .isEqualTo(-high.path("contributions").path("age").asDouble());
            GivenServer.Answer none =
                    server.post(EXPLAIN + "?output=hihg", ONE, "application/json");
            assertThat(none.status()).isEqualTo(400);
            assertThat(none.body()).contains("did you mean 'high'?", "there are: high, low");
            GivenServer.Answer number =
                    server.post(EXPLAIN, "{\"rows\":[],\"output\":5}", "application/json");
            assertThat(number.body()).contains("\\\"output\\\" is a text");
        }
    }

    private static JsonNode explained(GivenServer server, String body, String query)
            throws Exception {
        GivenServer.Answer answer = server.post(EXPLAIN + query, body, "application/json");
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json().path("explanations").get(0);
    }

    @Test
    void shouldSayWhatItHadTimeFor() throws Exception {
        ModelSpec mlp = new ModelSpec.Mlp(List.of(12, 8), ModelSpec.Activation.GELU, 0.1);
        trained(GivenTable.in(folder, "income", mlp), mlp);
        ServerLimits usual = ServerLimits.usual();
        ServerLimits hurried =
                new ServerLimits(
                        usual.bodyBytes(),
                        usual.heldBytes(),
                        usual.connections(),
                        Duration.ofNanos(1),
                        usual.idle(),
                        usual.drain());
        try (GivenServer server =
                GivenServer.of(folder.resolve("model"), ServeLimits.usual(), hurried)) {
            GivenServer.Answer late = server.post(EXPLAIN, ONE, "application/json");
            assertThat(late.status()).isEqualTo(504);
            assertThat(late.body()).startsWith("{\"error\":\"the time for this request was over");
        }
    }

    @Test
    void shouldSendAwayWhatFindsNoRoom() throws Exception {
        ModelSpec boosting = new ModelSpec.Boosting(300, 0.1, TreeSpec.ofBoosting());
        GivenTable table = GivenTable.in(folder, "income", boosting);
        trained(table, boosting);
        String csv = Files.readString(table.newRows());
        ExplainLimits few = new ExplainLimits(1, 1, 60, 0);
        try (GivenServer server =
                GivenServer.observed(
                        folder.resolve("model"), new ServeObservers(few, null, null))) {
            List<CompletableFuture<Integer>> asked = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                asked.add(CompletableFuture.supplyAsync(() -> status(server, csv)));
            }
            List<Integer> found = asked.stream().map(CompletableFuture::join).toList();
            assertThat(found).contains(200, 429).containsOnly(200, 429);
            GivenServer.Answer many =
                    server.post(
                            EXPLAIN, "[" + (ONE + ",").repeat(60) + ONE + "]", "application/json");
            assertThat(many.status()).isEqualTo(400);
            assertThat(many.body()).contains("61 rows are too many to explain");
        }
    }

    private static int status(GivenServer server, String csv) {
        try {
            return server.post(EXPLAIN, csv, "text/csv").status();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldObserveAShareOfTheRequests() throws Exception {
        ModelSpec boosting = new ModelSpec.Boosting(5, 0.3, TreeSpec.ofBoosting());
        trained(GivenTable.in(folder, "income", boosting), boosting);
        ExplainLimits all = ExplainLimits.USUAL.withShare(1);
        try (GivenServer server =
                GivenServer.observed(
                        folder.resolve("model"), new ServeObservers(all, null, null))) {
            long until = Clock.system().nowNs() + 30_000_000_000L;
            String metrics = "";
            while (!metrics.contains("column=\"age\"") && Clock.system().nowNs() < until) {
                assertThat(
                                server.post(
                                                "/v1/models/m:rows",
                                                Json.line(List.of(Json.parse(ONE, JsonNode.class))),
                                                "application/json")
                                        .status())
                        .isEqualTo(200);
                metrics = server.get("/metrics").body();
            }
            assertThat(metrics)
                    .contains(
                            "medley_serving_contribution_mean{model=\"m\",version=\"1\",column=\"town\"}")
                    .contains("medley_serving_observed_rows_total{model=\"m\",version=\"1\"} ");
        }
    }
}
