package dev.medley.serving.mlflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.time.Clock;
import dev.medley.onnx.given.GivenTable;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecorder;
import dev.medley.serving.registry.Registry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mlflow.api.proto.ModelRegistry.ModelVersion;
import org.mlflow.api.proto.Service.Experiment;
import org.mlflow.api.proto.Service.Metric;
import org.mlflow.api.proto.Service.Run;
import org.mlflow.api.proto.Service.ViewType;
import org.mlflow.tracking.MlflowClient;
import org.mlflow.tracking.MlflowHttpException;

/** MLflow's own Java client reads our runs and our registry. */
@Tag("real")
class MlflowReadingTest {
    @TempDir private Path place;
    private Server server;
    private MlflowClient client;
    private Registry registry;
    private RunFolder run;

    @BeforeEach
    void start() throws Exception {
        run = RunFolder.create(place.resolve("runs"), "churn", Clock.system());
        RunIdentity identity =
                new RunIdentity("churn", 1000, "medley train", "0.1", RunProcess.self());
        try (RunRecorder recorder =
                RunRecorder.start(
                        run, identity, Map.of(), RecorderOptions.defaults(), Clock.system())) {
            for (int step = 1; step <= 120; step++) {
                assertThat(recorder.step(step(step))).isNull();
            }
            MetricValue auc = new MetricValue("auc", 0.75, MetricValue.Better.HIGHER);
            assertThat(
                            recorder.evaluation(
                                    new EvaluationRecord(
                                            120, 1, 100, 2000, 5, 0.5, null, List.of(auc))))
                    .isNull();
            recorder.finish(RunStatus.DONE, "done", null);
        }
        Files.createDirectories(run.model());
        Files.writeString(run.model().resolve("model.json"), "{}");
        registry = new Registry(place.resolve("registry"), Clock.system());
        Path given = Files.createDirectory(place.resolve("given"));
        GivenTable.in(given, "hours", new ModelSpec.Linear()).trained(null).close();
        registry.register("churn", given.resolve("model"), "ada", "first");
        registry.register("churn", given.resolve("model"), "ada", "second");
        registry.promote("churn", 1, "production", "ada", "good");
        ServerBuilder builder =
                Server.builder().http(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        new MlflowReading(place.resolve("runs"), each -> Map.of("train.batch", "128"), registry)
                .addTo(builder);
        server = builder.build();
        server.start().join();
        client = new MlflowClient(address());
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop().join();
    }

    private String address() {
        return "http://127.0.0.1:" + server.activeLocalPort();
    }

    private static StepRecord step(long step) {
        return new StepRecord(
                step, 0, 1, 1, 1.0 / step, 0.1, null, 32, 1000 + step, 1000, List.of());
    }

    @Test
    void shouldTellOfRuns() {
        List<Experiment> experiments = client.searchExperiments().getItems();
        assertThat(experiments).extracting(Experiment::getName).containsExactly("churn");
        String id = experiments.get(0).getExperimentId();
        assertThat(client.getExperiment(id).getName()).isEqualTo("churn");
        assertThat(client.getExperimentByName("churn")).isPresent();
        assertThat(client.getExperimentByName("others")).isEmpty();
        List<Run> runs = client.searchRuns(List.of(id), "", ViewType.ACTIVE_ONLY, 10).getItems();
        assertThat(runs).hasSize(1);
        Run told = client.getRun(runs.get(0).getInfo().getRunId());
        assertThat(told.getInfo().getRunId()).isEqualTo(run.name());
        assertThat(told.getInfo().getStatus().name()).isEqualTo("FINISHED");
        assertThat(told.getInfo().getStartTime()).isEqualTo(1000);
        assertThat(told.getData().getParamsList().get(0).getKey()).isEqualTo("train.batch");
        assertThat(told.getData().getMetricsList())
                .extracting(Metric::getKey)
                .contains("loss", "validation/auc", "validation/loss");
        List<Metric> history = client.getMetricHistory(run.name(), "loss");
        assertThat(history).hasSize(120);
        assertThat(history.get(119).getValue()).isEqualTo(1.0 / 120);
        assertThat(history.get(119).getStep()).isEqualTo(120);
    }

    @Test
    void shouldListFilesOfARunAndNoOthers() throws Exception {
        // Over HTTP: the client would list a folder of this machine by MLflow's own program.
        String all = "/api/2.0/mlflow/artifacts/list?run_id=" + run.name();
        assertThat(get(all).body())
                .contains("\"path\":\"model\",\"is_dir\":true", "\"path\":\"steps.jsonl\"")
                .doesNotContain(".lock");
        assertThat(get(all + "&path=model").body())
                .contains("{\"path\":\"model/model.json\",\"is_dir\":false,\"file_size\":2}");
        String list = "/api/2.0/mlflow/artifacts/list?run_id=" + run.name() + "&path=";
        for (String path : List.of("..", "../..", "/etc", "model/../../..", "%2e%2e")) {
            assertThat(get(list + path).statusCode()).as(path).isEqualTo(400);
        }
        assertThat(get("/api/2.0/mlflow/runs/get?run_id=a%2Fb").statusCode()).isEqualTo(404);
    }

    @Test
    void shouldTellOfTheRegistry() {
        assertThat(client.getRegisteredModel("churn").getName()).isEqualTo("churn");
        ModelVersion second = client.getModelVersion("churn", "2");
        assertThat(second.getVersion()).isEqualTo("2");
        assertThat(second.getSource()).contains("registry");
        assertThat(client.getLatestVersions("churn").get(0).getVersion()).isEqualTo("2");
        assertThat(client.searchModelVersions("name='churn'").getItems()).hasSize(2);
        assertThat(client.searchModelVersions("name='other'").getItems()).isEmpty();
    }

    @Test
    void shouldTellWhatAnAliasLeadsToAndInPages() throws Exception {
        String alias = "/api/2.0/mlflow/registered-models/alias?name=churn&alias=";
        assertThat(get(alias + "production").body()).contains("\"version\":\"1\"");
        assertThat(get(alias + "other").statusCode()).isEqualTo(404);
        assertThat(get("/api/2.0/mlflow/registered-models/search").body())
                .contains("\"alias\":\"production\"", "\"version\":\"2\"");
        String page = "/api/2.0/mlflow/model-versions/search?max_results=1";
        assertThat(get(page).body()).contains("\"next_page_token\":\"1\"");
        assertThat(get(page + "&page_token=1").body()).doesNotContain("next_page_token");
    }

    @Test
    void shouldAnswerMistakesInMlflowsForm() throws Exception {
        assertThatThrownBy(() -> client.getRun("no-such"))
                .isInstanceOf(MlflowHttpException.class)
                .hasMessageContaining("404");
        assertThat(get("/api/2.0/mlflow/runs/get").body())
                .contains("INVALID_PARAMETER_VALUE", "run_id");
        assertThat(get("/api/2.0/mlflow/model-versions/search?max_results=x").statusCode())
                .isEqualTo(400);
        assertThat(get("/api/2.0/mlflow/experiments/search?filter=a%3D1").body())
                .contains("filters are not read here");
    }

    private HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create(address() + path)).build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
