package dev.medley.api.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.api.run.SmallJob;
import dev.medley.base.job.JobSpec;
import dev.medley.base.time.Clock;
import dev.medley.base.track.TrackSpec;
import dev.medley.net.door.FreePort;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Trains, and asks a real MLflow server and the real TensorBoard what they have of it. */
@Tag("real")
class RealMlflowTest {
    private static final int STEPS = 60;

    @TempDir private Path place;
    private Path python;
    private String address;
    private Process server;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(
                System.getenv("MEDLEY_ENGINES") != null,
                "skipped, as it takes a minute: MEDLEY_ENGINES=1 runs it (docs/tracking.md)");
        String named = System.getenv("MEDLEY_MLFLOW");
        Path home =
                named != null
                        ? Path.of(named)
                        : Path.of(System.getProperty("user.home"), ".cache", "medley-mlflow");
        python = home.resolve("bin/python");
        assumeTrue(
                Files.isExecutable(python),
                "skipped: no MLflow in %s; tools/track/install.sh makes it".formatted(home));
        int port = FreePort.find();
        address = "http://127.0.0.1:" + port;
        server =
                new ProcessBuilder(
                                python.toString(),
                                "-m",
                                "mlflow",
                                "server",
                                "--port",
                                "" + port,
                                "--workers",
                                "1",
                                "--backend-store-uri",
                                "sqlite:///" + place.resolve("mlflow.db"),
                                "--artifacts-destination",
                                place.resolve("artifacts").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(place.resolve("mlflow.log").toFile())
                        .start();
        MlflowServer asked =
                new MlflowServer(URI.create(address), name -> null, Tracking.calls(Clock.system()));
        for (int i = 0; i < 600 && !isThere(asked); i++) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
    }

    private static boolean isThere(MlflowServer asked) {
        try {
            return asked.get("experiments/search", Map.of("max_results", "1")).isObject();
        } catch (IOException e) {
            return false;
        }
    }

    @AfterEach
    void stop() throws Exception {
        if (server != null) {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
            server.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldHaveTheWholeRun() throws Exception {
        TrackSpec track =
                new TrackSpec(address, "our tests", "small", true, place.resolve("tb").toString());
        JobSpec job = SmallJob.in(place, 1, STEPS).job().tracked(track);
        RunOptions options = RunOptions.in(place.resolve("runs"));
        RunResult result = JobRun.train(job, options, RunProgress.NONE);
        SentSoFar sent = SentSoFar.read(result.folder().path(), address);
        assertThat(sent).isNotNull();
        assertThat(sent.isWhole()).isTrue();
        MlflowServer asked =
                new MlflowServer(URI.create(address), name -> null, Tracking.calls(Clock.system()));
        Map<String, String> id = Map.of("run_id", sent.run());
        JsonNode run = asked.get("runs/get", id).path("run");
        assertThat(run.path("info").path("status").asString()).isEqualTo("FINISHED");
        assertThat(run.path("data").path("params")).hasSizeGreaterThan(40);
        Map<String, String> loss = Map.of("run_id", sent.run(), "metric_key", "loss");
        assertThat(asked.get("metrics/get-history", loss).path("metrics")).hasSize(STEPS);
        Map<String, String> model = Map.of("run_id", sent.run(), "path", "model");
        assertThat(asked.get("artifacts/list", model).toString())
                .contains("model/MLmodel", "model/weights.safetensors");
        assertThat(
                        asked.get("model-versions/get", Map.of("name", "small", "version", "1"))
                                .path("model_version")
                                .path("run_id")
                                .asString())
                .isEqualTo(sent.run());
        assertThat(scalars(place.resolve("tb").resolve(result.folder().name())))
                .contains("loss " + STEPS + " 1 " + STEPS)
                .contains("learning_rate " + STEPS);
    }

    private String scalars(Path events) throws Exception {
        String program =
                """
                import sys
                from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
                events = EventAccumulator(sys.argv[1], size_guidance={'scalars': 0})
                events.Reload()
                for tag in events.Tags()['scalars']:
                    found = events.Scalars(tag)
                    print(tag, len(found), found[0].step, found[-1].step)
                """;
        Path out = place.resolve("scalars.txt");
        Process process =
                new ProcessBuilder(python.toString(), "-c", program, events.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .redirectOutput(out.toFile())
                        .start();
        assertThat(process.waitFor()).isZero();
        return Files.readString(out, StandardCharsets.UTF_8);
    }
}
