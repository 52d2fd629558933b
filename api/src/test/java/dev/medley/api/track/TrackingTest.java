package dev.medley.api.track;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.run.SmallJob;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.base.time.Clock;
import dev.medley.base.track.TrackSpec;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecorder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tracker gets all of a run once, whenever it is there, and never holds the run up. */
@Tag("real")
class TrackingTest {
    private static final int STEPS = 2_500;

    @TempDir private Path place;
    private KeptMlflow server;
    private JobSpec job;
    private RunFolder folder;
    private RunRecorder recorder;
    private final List<String> warnings = new ArrayList<>();

    @BeforeEach
    void begin() throws IOException {
        server = new KeptMlflow();
        TrackSpec track = new TrackSpec(server.address(), "tests", "small", false, null);
        job = SmallJob.in(place, 1, STEPS).job().tracked(track);
        folder = RunFolder.create(place.resolve("runs"), job.name(), Clock.system());
        RunIdentity identity =
                new RunIdentity(job.name(), 1000, "medley train", "0.1", RunProcess.self());
        RecorderOptions options = RecorderOptions.defaults();
        recorder = RunRecorder.start(folder, identity, job, options, Clock.system());
        Files.createDirectories(folder.model());
        Files.writeString(folder.model().resolve("model.json"), "{}");
    }

    @AfterEach
    void end() {
        recorder.close();
        server.close();
    }

    @Test
    void shouldSendEachPointOnceInBatchesThatMlflowTakes() {
        Tracking tracking = tracking(Map.of());
        train(tracking, 1, STEPS);
        tracking.close();
        assertThat(warnings).isEmpty();
        requireWhole();
    }

    @Test
    void shouldSendAllToAServerThatComesLate() {
        server.answerWith(503);
        Tracking tracking = tracking(Map.of());
        assertThat(warnings).singleElement().asString().contains("is away", server.address());
        train(tracking, 1, 1_000);
        server.answerWith(200);
        train(tracking, 1_001, STEPS);
        tracking.close();
        assertThat(warnings).hasSize(1);
        requireWhole();
    }

    @Test
    void shouldReadFromTheFolderWhatTheQueueHasNoRoomFor() {
        server.answerWith(429);
        Tracking tracking = tracking(Map.of());
        train(tracking, 1, 19_900); // The folder of a run has 20,000 lines of steps at most.
        for (int i = 0; i < 5_000; i++) {
            tracking.observers().forEach(o -> o.step(EventFileTest.step(1, 1)));
        }
        server.answerWith(200);
        tracking.close();
        assertThat(server.points).doesNotHaveDuplicates().contains("loss@1", "loss@19900");
        assertThat(server.points.stream().filter(p -> p.startsWith("loss@"))).hasSize(19_900);
    }

    @Test
    void shouldKeepForLaterWhatCouldNotBeSent() {
        server.answerWith(500);
        Tracking tracking = tracking(Map.of());
        train(tracking, 1, STEPS);
        tracking.close();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1)).contains("medley runs track " + folder.path());
        server.answerWith(200);
        Tracking.Sent sent = send();
        assertThat(sent.run()).isEqualTo("r1");
        assertThat(sent.version()).isEqualTo("1");
        requireWhole();
        assertThat(send()).isEqualTo(sent);
        requireWhole();
    }

    @Test
    void shouldStopAtWhatTheServerRefuses() {
        server.answerWith(401);
        Tracking tracking = tracking(Map.of("MLFLOW_TRACKING_TOKEN", "wrong"));
        train(tracking, 1, 10);
        tracking.close();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(0)).contains("MLFLOW_TRACKING_TOKEN");
        assertThat(server.authorizations).contains("Bearer wrong").doesNotContain("null");
        assertThatThrownBy(this::send)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("credentials are missing or wrong");
    }

    @Test
    void shouldTakeNameAndPasswordBeforeATokenAsMlflowDoes() {
        Map<String, String> all =
                Map.of(
                        "MLFLOW_TRACKING_USERNAME",
                        "ada",
                        "MLFLOW_TRACKING_PASSWORD",
                        "secret",
                        "MLFLOW_TRACKING_TOKEN",
                        "token");
        tracking(all).close();
        assertThat(server.authorizations).containsOnly("Basic YWRhOnNlY3JldA==");
    }

    @Test
    void shouldNotBeginWithoutAServerThatIsRequired() {
        TrackSpec required = new TrackSpec(server.address(), null, null, true, null);
        Tracking.require(required, name -> null);
        server.answerWith(503);
        assertThatThrownBy(() -> Tracking.require(required, name -> null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("track.required");
        server.close();
        assertThatThrownBy(() -> Tracking.require(required, name -> null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(server.address());
    }

    /** Each of them makes something there: made again, it would be there twice. */
    @ParameterizedTest
    @ValueSource(strings = {"runs/create", "log-batch", "model-versions/create", "model.json"})
    void shouldMakeNothingTwiceWhoseAnswerComesTooLate(String call) {
        CountDownLatch never = new CountDownLatch(1);
        server.holdNext(call, never);
        Tracking tracking = impatient();
        train(tracking, 1, STEPS);
        tracking.close();
        never.countDown();
        Tracking.Sent sent = send(); // Whatever a slow machine left for later.
        assertThat(sent.run()).isEqualTo("r1");
        requireWhole();
    }

    /** The call that was given up is done by the server after the next one. */
    @Test
    void shouldRemoveARunThatIsMadeAfterAll() {
        Tracking tracking = tracking(Map.of());
        train(tracking, 1, STEPS);
        server.comesLate("r1");
        tracking.close();
        assertThat(server.left()).containsExactly("r1");
        assertThat(server.runs).isEqualTo(2);
    }

    @Test
    void shouldEndBesideAServerThatTakesCallsAndNeverAnswers() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            TrackSpec track = TrackSpec.mlflow("http://127.0.0.1:" + silent.getLocalPort());
            job = job.tracked(track);
            Tracking tracking = impatient();
            assertThat(warnings).singleElement().asString().contains("no answer in time");
            train(tracking, 1, STEPS);
            tracking.close();
            assertThat(warnings).hasSize(2);
            assertThat(warnings.get(1)).contains("it has nothing", "medley runs track");
        }
    }

    /** The client's own limit is over with the first line. */
    @Test
    void shouldEndBesideAServerThatBeginsAnAnswerAndStops() {
        CountDownLatch never = new CountDownLatch(1);
        server.beginOnly(never);
        Tracking tracking = impatient();
        train(tracking, 1, STEPS);
        tracking.close();
        never.countDown();
        assertThat(warnings).hasSize(2);
        assertThat(warnings.get(1)).contains("no answer in time", "it has nothing");
    }

    @Test
    void shouldSayWhatWasNotSentAndSendOnlyThatLater() {
        CountDownLatch never = new CountDownLatch(1);
        Tracking tracking = tracking(Map.of());
        train(tracking, 1, STEPS);
        server.holdNext("model.json", never);
        server.whenAsked("model.json", tracking::stopWaiting); // As the second Ctrl-C does.
        tracking.close();
        never.countDown();
        assertThat(warnings).singleElement().asString().contains("and not model/model.json");
        List<String> before = List.copyOf(server.asked);
        Tracking.Sent unused = send();
        List<String> later = server.asked.subList(before.size(), server.asked.size());
        assertThat(later.stream().filter(path -> path.contains("artifacts/")))
                .isNotEmpty()
                .allMatch(path -> path.contains("/model/"));
        requireWhole();
    }

    private Tracking impatient() {
        MlflowPatience patience =
                new MlflowPatience(
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(60));
        return Tracking.begin(
                job, folder, 0, name -> null, Clock.system(), warnings::add, patience);
    }

    private Tracking tracking(Map<String, String> environment) {
        return Tracking.begin(job, folder, 0, environment::get, Clock.system(), warnings::add);
    }

    private Tracking.Sent send() {
        TrackSpec asked = job.track();
        assertThat(asked).isNotNull();
        return Tracking.send(folder, job, asked, null, name -> null);
    }

    private void train(Tracking tracking, int from, int to) {
        for (int i = from; i <= to; i++) {
            StepRecord step = EventFileTest.step(i, 1.0 / i);
            assertThat(recorder.step(step)).isNull();
            tracking.observers().forEach(observer -> observer.step(step));
            if (i % 500 == 0) {
                EvaluationRecord evaluation = EventFileTest.evaluation(i, 0.5);
                assertThat(recorder.evaluation(evaluation)).isNull();
                tracking.observers().forEach(observer -> observer.evaluation(evaluation));
            }
        }
        if (to >= STEPS) {
            recorder.finish(RunStatus.DONE, "done", null);
        }
    }

    private void requireWhole() {
        assertThat(server.runs).isEqualTo(1);
        assertThat(server.batches).allMatch(size -> size <= 1000);
        assertThat(server.points).doesNotHaveDuplicates().hasSize(3 * STEPS + 2 * STEPS / 500);
        assertThat(server.params).containsEntry("train.batch", "12").containsKey("model.family");
        assertThat(server.files)
                .containsKeys("7/r1/artifacts/model/model.json", "7/r1/artifacts/model/MLmodel");
        assertThat(server.states).endsWith("FINISHED");
        assertThat(server.versions).isEqualTo(1);
    }
}
