package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import sun.misc.Signal;
import tools.jackson.databind.JsonNode;

/** From a table to a model, its predictions and its record, with real worker processes. */
@Tag("real")
@Timeout(120)
@TestInstance(Lifecycle.PER_CLASS)
class EndToEndTest {
    @TempDir private static Path folder;

    private Pipeline here = new Pipeline(Path.of(""));
    private Path table = Path.of("");
    private String job = "";
    private String run = "";

    @BeforeAll
    void train() throws IOException {
        here = new Pipeline(folder);
        table = here.table();
        job =
                here.job(
                        "job.yaml",
                        """
                        name: table
                        data: {train: table.csv, label: y}
                        model: {family: mlp, hidden: [16]}
                        train: {steps: 40, batch: 256, evaluate_every: 20}
                        cluster: {workers: 2}
                        """);
        JsonNode trained = here.json("train", job);
        assertThat(trained.path("outcome").asString()).isEqualTo("completed");
        assertThat(trained.path("summary").path("steps").asInt()).isEqualTo(40);
        run = trained.path("run").asString();
        assertThat(Path.of(trained.path("report").asString())).exists();
    }

    @Test
    void shouldTellAWorkersLifeInItsLog() throws IOException {
        List<Path> logs;
        try (var files = Files.list(Path.of(run, "logs"))) {
            logs = files.filter(f -> f.toString().endsWith(".log")).toList();
        }
        assertThat(logs).hasSize(2);
        assertThat(logs.get(0)).content().contains("begins: ", "joined epoch 1", "of 2", "left: ");
    }

    @Test
    void shouldWriteNoNumberWhereNobodyAskedForTheGradientsNorm() throws IOException {
        assertThat(Path.of(run, "steps.jsonl"))
                .content()
                .contains("\"gradientNorm\":null")
                .doesNotContain("NaN");
        assertThat(RunRecord.read(RunFolder.at(Path.of(run))).steps().get(0).gradientNorm())
                .isNull();
    }

    @Test
    void shouldRepeatARunBitForBitAndServeItsFigures() {
        Scraper scraper = new Scraper();
        Said said =
                Said.when(
                        scraper,
                        "train",
                        job,
                        "--replay",
                        run,
                        "--metrics",
                        "0",
                        "--run-dir",
                        folder.resolve("replayed").toString());
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(scraper.scraped).contains("medley_loss", "medley_step");
        RunFolder replayed = RunFolder.find(folder.resolve("replayed"), "latest");
        assertThat(hashes(replayed)).isNotEmpty().isEqualTo(hashes(RunFolder.at(Path.of(run))));
    }

    @Test
    void shouldRefuseToReplayWhereTheNumbersCannotRepeat() {
        assertRefused("--replay " + run + " -s train.batch=8", "train.batch=8", "samples");
        assertRefused("--replay " + run + " --workers 1", "had 2 workers", "cluster.workers=1");
    }

    /** How many all samples are is known when they are read, and no sooner. */
    @Test
    void shouldRefuseToReplayOtherNumbersOfSamplesWhereAStepTakesAll() throws IOException {
        String all =
                here.job(
                        "all.yaml",
                        """
                        name: table
                        data: {train: table.csv, label: y}
                        model: linear
                        train: {optimizer: lbfgs}
                        cluster: {workers: 2}
                        """);
        Path runs = folder.resolve("all");
        Said said = Said.when("train", all, "--replay", run, "--run-dir", runs.toString());
        assertThat(said.exitCode()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains("its steps had 256 samples, and here they have");
        assertThat(runs).doesNotExist();
    }

    /** The job is the run's own, and who computes may differ. */
    @Test
    void shouldRefuseToReplayWhereARunIsGoneOnWithToo() {
        Said said = Said.when("train", "--resume", run, "--replay", run, "--workers", "1");
        assertThat(said.exitCode()).as(said.err()).isEqualTo(2);
        assertThat(said.err()).contains("had 2 workers", "cluster.workers=1");
    }

    private void assertRefused(String options, String... words) {
        Path runs = folder.resolve("refused");
        Said said = Said.when(("train " + job + " --run-dir " + runs + " " + options).split(" "));
        assertThat(said.exitCode()).as(said.err()).isEqualTo(2);
        assertThat(said.err().strip().lines()).singleElement().asString().contains(words);
        assertThat(runs).doesNotExist();
    }

    @Test
    void shouldLeaveADoneRunAsItIsWhenAskedToGoOn() throws IOException {
        byte[] before = Files.readAllBytes(Path.of(run, "summary.json"));
        Said said = Said.when("train", "--resume", run);
        assertThat(said.exitCode()).as(said.err()).isZero();
        assertThat(said.out()).contains("is done", "nothing is left to do", "--init " + run);
        assertThat(Path.of(run, "summary.json")).hasBinaryContent(before);
    }

    @Test
    void shouldGoOnWithARunByItsNameOrFolder() throws IOException {
        String endless = here.job("endless.yaml", Files.readString(Path.of(job)));
        Path runs = folder.resolve("endless");
        long steps = 0;
        List<String> first =
                List.of("train", endless, "-s", "train.steps=1000000000", "--workers", "1");
        for (int i = 0; i < 3; i++) {
            List<String> args = new ArrayList<>(first);
            if (i > 0) {
                Path begun = RunFolder.find(runs, "latest").path();
                args = new ArrayList<>(List.of("train", "--resume"));
                args.add(i == 1 ? begun.getFileName().toString() : begun.toString());
            }
            args.addAll(List.of("--run-dir", runs.toString()));
            Said said = Said.when(new Interrupter(), args.toArray(String[]::new));
            assertThat(said.exitCode()).as(said.err()).isEqualTo(130);
            long now = RunRecord.summary(RunFolder.find(runs, "latest")).steps();
            assertThat(now).isGreaterThan(steps);
            steps = now;
        }
        assertThat(RunRecord.read(RunFolder.find(runs, "latest")).events())
                .filteredOn(e -> e.kind() == RunEvent.Kind.RESUMED)
                .hasSize(2);
    }

    private static List<String> hashes(RunFolder folder) {
        return RunRecord.read(folder).events().stream()
                .filter(e -> e.kind() == RunEvent.Kind.EPOCH)
                .map(RunEvent::value)
                .toList();
    }

    @Test
    void shouldBeginWithAModel() {
        JsonNode started =
                here.json(
                        "train",
                        job,
                        "--init",
                        run,
                        "-s",
                        "name=started",
                        "-s",
                        "train.steps=1",
                        "-s",
                        "train.optimizer.learning_rate=1e-9",
                        "--workers",
                        "1");
        JsonNode before = Json.tree(RunRecord.summary(RunFolder.at(Path.of(run)))).path("metrics");
        JsonNode after = started.path("summary").path("metrics");
        assertThat(after.size()).isEqualTo(before.size());
        for (int i = 0; i < after.size(); i++) {
            assertThat(after.path(i).path("value").asDouble())
                    .isCloseTo(
                            before.path(i).path("value").asDouble(),
                            org.assertj.core.data.Offset.offset(1e-3));
        }
    }

    @Test
    void shouldKeepTheRecordInOrder() {
        Said list = here.medley("runs", "list");
        assertThat(list.out()).contains(Path.of(run).getFileName().toString(), "done");
        assertThat(here.json("runs", "list").size()).isPositive();
        assertThat(here.json("runs", "compare", run, run).size()).isEqualTo(2);
        assertThat(Path.of(here.json("report", run).path("report").asString())).exists();
        assertThat(here.medley("runs", "rm", "nobody").exitCode()).isEqualTo(2);
    }

    @Test
    void shouldDescribeAndPlan() {
        JsonNode found = here.describe(table.toString());
        assertThat(found.path("file").path("columns").size()).isEqualTo(4);
        assertThat(found.path("model").isNull()).as("nothing is known to be predicted").isTrue();
        JsonNode seen = here.describe(table.toString(), "--label", "y").path("model");
        assertThat(seen.path("format").asString()).isEqualTo("CSV");
        assertThat(seen.path("trainSamples").asInt()).isEqualTo(Pipeline.ROWS * 9 / 10);
        assertThat(here.describe(job).path("model")).isEqualTo(seen);
        Said plan = Said.when("plan", job, "--json");
        assertThat(plan.exitCode()).as(plan.err()).isZero();
        JsonNode planned = Json.parse(plan.out(), JsonNode.class);
        assertThat(planned.path("samplesPerSecond").asDouble()).isPositive();
        assertThat(planned.path("shares").size()).isEqualTo(2);
        assertThat(planned.path("sentences").toString())
                .contains("workers: 2 of ", "through shared memory")
                .contains("speed: about ", "with all workers: a step ", "duration: about ");
    }

    /** Presses Ctrl-C as soon as the run says that it has evaluated. */
    private static final class Interrupter extends StringWriter {
        private boolean isDone;

        @Override
        public void flush() {
            if (!isDone && toString().contains("validation  ")) {
                isDone = true;
                Signal.raise(new Signal("INT"));
            }
        }
    }

    /** Asks for the figures as soon as the run says that it has evaluated. */
    private static final class Scraper extends StringWriter {
        private static final Pattern ADDRESS = Pattern.compile("Metrics: (\\S+)");
        private String scraped = "";

        @Override
        public void flush() {
            Matcher address = ADDRESS.matcher(toString());
            if (scraped.isEmpty() && toString().contains("validation  ") && address.find()) {
                scraped = get(address.group(1));
            }
        }

        private static String get(String address) {
            try {
                return HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(URI.create(address)).build(),
                                BodyHandlers.ofString())
                        .body();
            } catch (IOException e) {
                return e.toString();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
