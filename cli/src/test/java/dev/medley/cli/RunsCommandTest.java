package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.job.JobFile;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunLock;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Tag("unit")
class RunsCommandTest {
    @TempDir private Path runs;

    private RunFolder record(String name, String override, double auc) throws IOException {
        var job =
                JobFile.parse("j.yaml", "data: a.csv\nmodel: mlp\n", runs, List.of(override))
                        .spec();
        RunFolder folder = RunFolder.create(runs, name, Clock.system());
        var identity = new RunIdentity(name, 1, "medley train", "0", RunProcess.self());
        try (RunRecorder recorder =
                RunRecorder.start(
                        folder, identity, job, RecorderOptions.defaults(), Clock.system())) {
            recorder.step(
                    new StepRecord(
                            1,
                            0,
                            1,
                            1,
                            0.5,
                            1e-3,
                            Double.NaN,
                            256,
                            2,
                            1_000_000,
                            List.of(new WorkerTimes(1, 256, 1, 1, 1, 1, 1, 1))));
            recorder.evaluation(
                    new EvaluationRecord(
                            1,
                            1,
                            256,
                            3,
                            1,
                            List.of(new MetricValue("auc", auc, MetricValue.Better.HIGHER))));
            recorder.finish(RunStatus.DONE, "the budget is used up", null);
        }
        return folder;
    }

    private Said medley(String command, String... more) {
        var args = new java.util.ArrayList<>(List.of(command.split(" ")));
        args.addAll(List.of(more));
        args.addAll(List.of("--run-dir", runs.toString()));
        return Said.when(args.toArray(String[]::new));
    }

    @Test
    void shouldListRuns() throws IOException {
        assertThat(medley("runs list").out()).contains("There are no runs in");
        RunFolder run = record("adult", "seed=1", 0.91);
        assertThat(medley("runs list").out()).contains(run.name(), "done", "auc 0.9100");
        JsonNode listed = Json.parse(medley("runs list", "--json").out(), JsonNode.class);
        assertThat(listed.path(0).path("summary").path("steps").asInt()).isEqualTo(1);
    }

    @Test
    void shouldCompareWhatDiffers() throws IOException {
        RunFolder one = record("one", "train.batch=64", 0.91);
        RunFolder two = record("two", "train.batch=32", 0.92);
        Said said = medley("runs compare", one.name(), two.name());
        assertThat(said.out()).contains("train.batch", "64", "32", "validation auc", "0.9200");
        assertThat(said.out()).doesNotContain("train.accumulate");
    }

    @Test
    void shouldCompareByTheKeysOfTheJobFile() throws IOException {
        RunFolder one = record("one", "train.clip_norm=1", 0.91);
        RunFolder two = record("two", "train.clip_norm=2", 0.92);
        Said said = medley("runs compare", one.name(), two.name());
        assertThat(said.out()).contains("train.clip_norm").doesNotContain("clipNorm");
        JsonNode json =
                Json.parse(
                        medley("runs compare", one.name(), two.name(), "--json").out(),
                        JsonNode.class);
        assertThat(json.path(1).path("settings").propertyNames())
                .containsExactlyInAnyOrder("train.clip_norm");
        assertThat(json.path(1).path("settings").path("train.clip_norm").asString())
                .isEqualTo("2.0");
    }

    @Test
    void shouldCompareARunOfAnotherVersionByTheNamesItHas() throws IOException {
        RunFolder one = record("one", "seed=1", 0.91);
        RunFolder two = record("two", "seed=1", 0.92);
        String job = Files.readString(two.job());
        Files.writeString(two.job(), job.replaceFirst("\\{", "{\"mood\": \"good\","));
        Said said = medley("runs compare", one.name(), two.name());
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out()).contains("mood", "good");
    }

    @Test
    void shouldRemoveARunByItsFullNameOnly() throws IOException {
        RunFolder run = record("adult", "seed=1", 0.91);
        Said part = medley("runs rm", "adult");
        assertThat(part.exitCode()).isEqualTo(2);
        assertThat(part.err()).contains("not the full name", run.name());
        assertThat(run.path()).exists();
        assertThat(medley("runs rm", run.name()).exitCode()).isZero();
        assertThat(run.path()).doesNotExist();
    }

    /** Its data is being prepared again: the record does not say yet that it goes on. */
    @Test
    void shouldNotRemoveARunThatAnotherProcessHolds() throws IOException {
        RunFolder run = record("adult", "seed=1", 0.91);
        RunFolder other = record("mnist", "seed=1", 0.91);
        try (RunLock unused = RunLock.take(run)) {
            Said said = medley("runs rm", other.name(), run.name());
            assertThat(said.exitCode()).isEqualTo(2);
            assertThat(said.err()).contains("another process", run.name(), "Nothing was removed");
        }
        assertThat(run.job()).exists();
        assertThat(other.job()).exists();
        assertThat(medley("runs rm", other.name(), run.name()).exitCode()).isZero();
        assertThat(run.path()).doesNotExist();
    }

    @Test
    void shouldWriteAReport() throws IOException {
        RunFolder run = record("adult", "seed=1", 0.91);
        Said said = medley("report", "adult");
        assertThat(said.out().strip()).isEqualTo(run.report().toString());
        assertThat(run.report()).content().contains("<html");
    }
}
