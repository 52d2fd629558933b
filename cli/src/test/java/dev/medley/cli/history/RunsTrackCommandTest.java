package dev.medley.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.job.JobFile;
import dev.medley.api.track.KeptMlflow;
import dev.medley.base.time.Clock;
import dev.medley.cli.Main;
import dev.medley.cli.Said;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sends runs that have ended to what keeps what an MLflow server is told. */
@Tag("real")
@Timeout(300)
class RunsTrackCommandTest {
    @TempDir private Path runs;
    private KeptMlflow server;
    private RunFolder run;

    @BeforeEach
    void begin() throws IOException {
        server = new KeptMlflow();
        run = recorded();
    }

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void shouldSendARunOfAJobThatNamesNoServerAndNothingTwice() {
        Said said = track(run.name(), "--to", server.address(), "--register", "small");
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out())
                .contains(run.name() + " is run r1 of experiment 7 at " + server.address())
                .contains("its model is version 1 of small");
        assertThat(server.points).contains("loss@1", "loss@2").doesNotHaveDuplicates();
        assertThat(server.files).containsKeys("7/r1/artifacts/model/model.json");
        int before = server.asked.size();
        assertThat(track("latest", "--to", server.address(), "--register", "small"))
                .isEqualTo(said);
        assertThat(server.asked.subList(before, server.asked.size()))
                .noneMatch(path -> path.matches(".*(create|log-batch|/artifacts/).*"));
        assertThat(track("latest", "--to", server.address(), "--json").out())
                .contains("\"run\"", "\"r1\"");
    }

    @Test
    void shouldRegisterUnderAnotherNameToo() {
        assertThat(track("latest", "--to", server.address(), "--register", "small").exitCode())
                .isZero();
        Said other = track("latest", "--to", server.address(), "--register", "large");
        assertThat(other.out()).contains("its model is version 2 of large");
        assertThat(server.runs).isEqualTo(1);
    }

    @Test
    void shouldKnowTheRunOfAServerThatWasSentToBeforeAnotherOne() throws IOException {
        assertThat(track("latest", "--to", server.address()).exitCode()).isZero();
        List<String> points = List.copyOf(server.points);
        try (KeptMlflow other = new KeptMlflow()) {
            assertThat(track("latest", "--to", other.address()).exitCode()).isZero();
        }
        assertThat(track("latest", "--to", server.address()).exitCode()).isZero();
        assertThat(server.runs).isEqualTo(1);
        assertThat(server.points).isEqualTo(points);
    }

    @Test
    void shouldSendARunToAnotherExperimentThatIsAskedFor() {
        assertThat(track("latest", "--to", server.address()).exitCode()).isZero();
        Said other = track("latest", "--to", server.address(), "--experiment", "other");
        assertThat(other.out()).contains("is run r2 of experiment 8");
        assertThat(server.experiments).containsEntry("other", "8");
        assertThat(server.files).containsKeys("8/r2/artifacts/model/model.json");
        assertThat(track("latest", "--to", server.address())).isEqualTo(other);
        String first = server.experiments.keySet().iterator().next();
        Said back = track("latest", "--to", server.address(), "--experiment", first);
        assertThat(back.out()).contains("is run r1 of experiment 7");
        assertThat(server.runs).isEqualTo(2);
    }

    @Test
    void shouldSayWhatIsMissing() {
        assertRefused(track("latest"), "names no MLflow server", "--to http://");
        assertRefused(track("adlut", "--to", server.address()), "adlut");
        assertRefused(track("latest", "--to", "localhost:5000"), "localhost:5000", "http://");
        assertRefused(track("latest", "--to", server.address(), "--register", "a/b"), "a/b");
        assertThat(server.asked).isEmpty();
        server.close();
        assertRefused(
                track("latest", "--to", server.address()), server.address(), "it has nothing");
    }

    @Test
    void shouldGoOnWhereItWasEndedWhileItSentFiles() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch isThere = new CountDownLatch(1);
        server.holdNext("model.json", never);
        server.whenAsked("model.json", isThere::countDown);
        Process process = process("runs", "track", "latest", "--to", server.address());
        isThere.await();
        process.destroy();
        assertThat(process.waitFor(100, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isNotZero();
        never.countDown();
        int before = server.asked.size();
        assertThat(track("latest", "--to", server.address()).exitCode()).isZero();
        assertThat(server.runs).isEqualTo(1);
        assertThat(server.points).contains("loss@2").doesNotHaveDuplicates();
        assertThat(
                        server.asked.subList(before, server.asked.size()).stream()
                                .filter(path -> path.contains("/artifacts/")))
                .isNotEmpty()
                .allMatch(path -> path.contains("/model/"));
        assertThat(server.states).endsWith("FINISHED");
    }

    private Said track(String... words) {
        return Said.when(all(words).toArray(String[]::new));
    }

    private List<String> all(String... words) {
        List<String> all = new ArrayList<>();
        if (!words[0].equals("runs")) {
            all.addAll(List.of("runs", "track"));
        }
        all.addAll(List.of(words));
        all.addAll(List.of("--run-dir", runs.toString()));
        return all;
    }

    private Process process(String... words) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(all(words));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void assertRefused(Said said, String... words) {
        assertThat(said.exitCode()).as(said.toString()).isEqualTo(2);
        assertThat(said.err().strip().lines().count()).as(said.err()).isEqualTo(1);
        assertThat(said.err()).contains(words);
    }

    private RunFolder recorded() throws IOException {
        var job = JobFile.parse("j.yaml", "data: a.csv\nmodel: mlp\n", runs, List.of()).spec();
        RunFolder folder = RunFolder.create(runs, "adult", Clock.system());
        var identity = new RunIdentity("adult", 1, "medley train", "0", RunProcess.self());
        RecorderOptions options = RecorderOptions.defaults();
        try (RunRecorder recorder =
                RunRecorder.start(folder, identity, job, options, Clock.system())) {
            for (int step = 1; step <= 2; step++) {
                List<WorkerTimes> times = List.of(new WorkerTimes(1, 256, 1, 1, 1, 1, 1, 1));
                recorder.step(
                        new StepRecord(
                                step, 0, 1, 1, 0.5, 1e-3, Double.NaN, 256, 2, 1_000_000, times));
            }
            recorder.finish(RunStatus.DONE, "the budget is used up", null);
        }
        Files.createDirectories(folder.model());
        Files.writeString(folder.model().resolve("model.json"), "{}");
        return folder;
    }
}
