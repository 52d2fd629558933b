package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.Dataset;
import dev.medley.api.TrainedModel;
import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.model.ModelFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that begins with a trained model, and with the way in which that model reads data. */
@Tag("real")
@Timeout(120)
@TestInstance(Lifecycle.PER_CLASS)
class InitialModelTest {
    private static final int ROWS = 400;
    private static final int STEPS = 60;

    @TempDir private static Path folder;

    private Path model = Path.of("");

    @BeforeAll
    void trainAModel() throws IOException {
        table("first.csv", 0, "abc");
        table("more.csv", 30, "dcb");
        model = train("first.csv", List.of(), start()).folder().model();
    }

    @Test
    void aModelShouldEvaluateOnNewRowsAsItDidBeforeItLearnsFromThem() throws IOException {
        RunResult more =
                train(
                        "more.csv",
                        List.of(
                                "data.validation=" + folder.resolve("more.csv"),
                                "train.steps=1",
                                "train.optimizer.learning_rate=1e-12"),
                        start().startingFrom(model));
        assertThat(ModelFolder.read(more.folder().model()).description().encoding())
                .isEqualTo(ModelFolder.read(model).description().encoding());
        Map<String, Double> before;
        try (TrainedModel first = TrainedModel.load(model, 1)) {
            before = first.evaluate(Dataset.table(folder.resolve("more.csv")).label("y"));
        }
        assertThat(more.summary().metrics()).isNotEmpty();
        for (MetricValue metric : more.summary().metrics()) {
            assertThat(metric.value())
                    .as(metric.name())
                    .isCloseTo(before.get(metric.name()), within(1e-5));
        }
        assertThat(Files.readString(more.folder().data()))
                .contains("encoded as the model " + model.toAbsolutePath() + " was");
    }

    @Test
    void aModelOfOtherParametersShouldBeRefusedBeforeThereIsARun() throws IOException {
        RunOptions with = in("misfit").startingFrom(model);
        assertRefused("model.hidden=[9]", with, "0.weight of 9x4", "has 8x4");
        assertRefused("model.hidden=[8,8]", with, "2.weight of 8x8", "has 1x8");
        assertRefused("model.hidden=[]", with, "0.weight of 1x4", "has 8x4");
        assertThat(folder.resolve("misfit")).doesNotExist();
    }

    @Test
    void treesShouldBeRefusedBeforeDataIsLookedFor() {
        String yaml = "data: {train: none.csv, label: y}\nmodel: boosting\n";
        JobSpec job = JobFile.parse("job.yaml", yaml, folder, List.of()).spec();
        RunOptions with = in("trees").startingFrom(model);
        assertThatThrownBy(() -> JobRun.train(job, with, RunProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "--init "
                                + model
                                + ": a step of model.family=boosting takes all samples, and this is"
                                + " for models that train by gradients of batches");
    }

    @Test
    void aRunWithoutACheckpointShouldBeginWithItsModelAgain() throws IOException {
        RunResult whole = train("more.csv", List.of(), start().startingFrom(model));
        List<Double> losses = losses(whole);
        List<Double> drawn = losses(train("more.csv", List.of(), start()));
        assertThat(losses).hasSize(STEPS).isNotEqualTo(drawn);
        remove(whole.folder().checkpoints());
        RunResult again = resume(whole.folder());
        assertThat(again.outcome().parameterHash()).isEqualTo(whole.outcome().parameterHash());
        assertThat(losses(again)).isEqualTo(losses);
    }

    @Test
    void aModelThatIsGoneOrChangedShouldBeMissedOnlyWithoutACheckpoint() throws IOException {
        Path copy = copyOfTheModel("copy");
        RunFolder run = train("more.csv", List.of(), start().startingFrom(copy)).folder();
        remove(copy);
        Path checkpoints = folder.resolve("kept");
        Files.move(run.checkpoints(), checkpoints);
        assertThatThrownBy(() -> resume(run))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("no checkpoint", copy.toString(), "no such model");
        Files.move(train("more.csv", List.of("train.steps=2"), start()).folder().model(), copy);
        assertThatThrownBy(() -> resume(run))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("no checkpoint", copy.toString(), "has changed since");
        remove(copy);
        Files.move(checkpoints, run.checkpoints());
        RunResult rest = resume(run);
        assertThat(rest.outcome().kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(ModelFolder.read(run.model()).description().encoding())
                .isEqualTo(ModelFolder.read(model).description().encoding());
    }

    @Test
    void aRunToGoOnWithShouldTakeNoOtherModel() {
        assertThatThrownBy(() -> start().startingFrom(model).resuming(Path.of("r")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("--resume r", "--init " + model, "leave one of them out");
    }

    private void assertRefused(String change, RunOptions options, String... words) {
        assertThatThrownBy(() -> train("more.csv", List.of(change), options))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(words)
                .hasMessageContaining(model.toString());
    }

    private RunResult resume(RunFolder run) {
        RunOptions how = start().resuming(run.path());
        return JobRun.train(JobRun.jobOf(run.path()), how, RunProgress.NONE);
    }

    private RunResult train(String data, List<String> changes, RunOptions how) throws IOException {
        return JobRun.train(job(data, changes), how, RunProgress.NONE);
    }

    private static JobSpec job(String data, List<String> changes) throws IOException {
        Path file = folder.resolve("job.yaml");
        Files.writeString(
                file,
                """
                name: table
                data: {train: %s, label: y}
                model: {family: mlp, hidden: [8]}
                train: {steps: %d, batch: 64, evaluate_every: 30}
                cluster: {workers: 1, threads: 1, java_options: ["-XX:TieredStopAtLevel=1"]}
                checkpoint: {every_steps: 20}
                """
                        .formatted(folder.resolve(data), STEPS));
        return JobFile.read(file, changes).spec();
    }

    private static RunOptions start() {
        return in("runs");
    }

    private static RunOptions in(String runs) {
        Path cache = folder.resolve("cache");
        return Runs.in(folder.resolve(runs), cache);
    }

    private static List<Double> losses(RunResult run) {
        return RunRecord.read(run.folder()).steps().stream().map(StepRecord::loss).toList();
    }

    /** Rows whose label follows from x; numbers and categories differ from table to table. */
    private static void table(String name, int from, String categories) throws IOException {
        StringBuilder rows = new StringBuilder("x,c,y\n");
        for (int i = 0; i < ROWS; i++) {
            int x = i * 37 % 100;
            char c = categories.charAt(i % 3);
            rows.append("%d,%s,%s\n".formatted(from + x, c, x < 50 ? "no" : "yes"));
        }
        Files.writeString(folder.resolve(name), rows);
    }

    private Path copyOfTheModel(String name) throws IOException {
        Path to = Files.createDirectory(folder.resolve(name));
        for (String file : List.of("model.json", "weights.safetensors")) {
            Files.copy(model.resolve(file), to.resolve(file));
        }
        return to;
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
