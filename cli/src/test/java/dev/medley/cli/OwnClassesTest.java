package dev.medley.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A user's own architecture, from a folder that only the job file names, through all commands. */
@Tag("real")
@Timeout(120)
class OwnClassesTest {
    @TempDir private Path folder;

    @Test
    void shouldPlanTrainEvaluateAndPredictWithAClassOfTheClassPath() throws Exception {
        ExampleClasses.compile(folder.resolve("classes"));
        Pipeline here = new Pipeline(folder);
        String table = here.table().toString();
        String job =
                here.job(
                        "job.yaml",
                        """
                        data: {train: table.csv, label: y, table: {drop: id}}
                        model: {class: com.example.SkipNetwork, options: {width: "16"}}
                        train: {steps: 60, batch: 256, optimizer: {kind: adam, learning_rate: 0.02}}
                        cluster: {workers: 1, class_path: classes}
                        """);
        Said planned = Said.when("plan", job);
        assertThat(planned.exitCode()).as(planned.err()).isZero();
        Said trained = here.medley("train", job);
        assertThat(trained.exitCode()).as(trained.err()).isZero();
        JsonNode metrics = here.json("evaluate", "latest", table);
        assertThat(metrics.path("auc").asDouble()).isGreaterThan(0.9);
        for (String workers : new String[] {"1", "2"}) {
            String out = folder.resolve(workers + ".csv").toString();
            here.json("predict", "latest", table, "-o", out, "--workers", workers);
        }
        assertThat(folder.resolve("2.csv")).hasSameTextualContentAs(folder.resolve("1.csv"));
        Files.move(folder.resolve("classes"), folder.resolve("elsewhere"));
        Said without = here.medley("evaluate", "latest", table);
        assertThat(without.exitCode()).isEqualTo(2);
        assertThat(without.err()).contains("com.example.SkipNetwork", "cluster.class_path");
    }
}
