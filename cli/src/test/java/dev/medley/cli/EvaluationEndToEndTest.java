package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The evaluation of a model and its threshold, through the command line. */
@Tag("real")
@Timeout(120)
class EvaluationEndToEndTest {
    /** Whatever is taken brings something, so that all is taken. */
    private static final String JOB =
            """
            data: {train: table.csv, label: y}
            model: {family: mlp, hidden: [16]}
            train:
              steps: 60
              batch: 256
              threshold: {maximise: profit, true_positive: 2, false_positive: 1}
            cluster: {workers: 2}
            """;

    @TempDir private Path folder;

    @Test
    void shouldChooseAThresholdAndShowHowGoodTheModelIs() throws Exception {
        Pipeline here = new Pipeline(folder);
        Path table = here.table();
        assertThat(here.medley("train", here.job("job.yaml", JOB)).exitCode()).isZero();
        Path run;
        try (Stream<Path> runs = Files.list(folder.resolve("runs"))) {
            run = runs.findFirst().orElseThrow();
        }
        JsonNode model = Json.read(run.resolve("model/model.json"), JsonNode.class);
        double threshold = model.path("threshold").path("probability").asDouble();
        assertThat(threshold).isBetween(0.0, 0.5);
        JsonNode kept = Json.read(run.resolve("evaluation.json"), JsonNode.class);
        assertThat(kept.path("of").asString()).isEqualTo("Validation samples after step 60");
        assertThat(curves(kept).path("chosen")).isEqualTo(model.path("threshold"));
        assertThat(Files.readString(run.resolve("report.html")))
                .contains("data-figure=\"roc\"", "data-figure=\"profit\"");

        Path page = folder.resolve("page.html");
        JsonNode said =
                here.json(
                        "evaluate",
                        "latest",
                        table.toString(),
                        "--importance",
                        "--columns",
                        "x,c",
                        "--repeats",
                        "2",
                        "--report",
                        page.toString());
        assertThat(curves(said.path("report")).path("auc").asDouble())
                .isEqualTo(said.path("auc").asDouble());
        JsonNode importance = section(said.path("report"), "importance");
        assertThat(importance.path("columns").path(0).path("name").asString()).isEqualTo("x");
        assertThat(importance.path("columns").path(0).path("mean").asDouble()).isGreaterThan(0.2);
        assertThat(importance.path("columns").path(1).path("mean").asDouble()).isLessThan(0.05);
        assertThat(Files.readString(page))
                .contains("table.csv</h1>", "data-figure=\"calibration\"");
        assertThat(here.medley("evaluate", "latest", table.toString()).out())
                .contains("Per class", "best Youden's J", "model's", "expected calibration error");

        shouldPredictByIt(here, table, threshold);
        Refused.assertAll(
                folder,
                new Refused(
                        "evaluate latest table.csv --importance --columns idd",
                        "its inputs are: x, c"),
                new Refused("evaluate latest table.csv --repeats 3", "--importance"),
                new Refused("evaluate latest table.csv --importance --repeats 0", "--repeats 0"),
                new Refused("evaluate latest table.csv --report no/x.html", "no such folder"),
                new Refused(
                        "train job.yaml -s train.threshold.false_positive=cheap",
                        "train.threshold.false_positive: found the text 'cheap'",
                        "a number"),
                new Refused("train job.yaml -s train.threshold=profit", "at least one of"),
                new Refused("train job.yaml -s train.threshold=f2", "did you mean f1?"),
                new Refused(
                        "train job.yaml -s data.label=x -s train.threshold=f1",
                        "train.threshold: decides between two classes",
                        "a number"));
    }

    private void shouldPredictByIt(Pipeline here, Path table, double threshold) throws Exception {
        Path out = folder.resolve("out.csv");
        Said predicted = here.medley("predict", "latest", table.toString(), "-o", out.toString());
        assertThat(predicted.out()).contains("yes from a probability of at least", "profit");
        int below = 0;
        List<String> rows = Files.readAllLines(out);
        for (String row : rows.subList(1, rows.size())) {
            String[] cells = row.split(",");
            double second = Double.parseDouble(cells[6]);
            assertThat(cells[4]).isEqualTo(second >= threshold ? "yes" : "no");
            below += second < 0.5 && second >= threshold ? 1 : 0;
        }
        assertThat(below).as("rows that one half would have decided otherwise").isPositive();
    }

    private static JsonNode curves(JsonNode report) {
        return section(report, "curves");
    }

    private static JsonNode section(JsonNode report, String kind) {
        return report.path("sections")
                .valueStream()
                .filter(section -> section.path("kind").asString().equals(kind))
                .findFirst()
                .orElseThrow();
    }
}
