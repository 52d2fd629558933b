package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.job.JobFile;
import dev.medley.base.Seeds;
import dev.medley.base.job.JobSpec;
import dev.medley.inference.metric.Evaluation;
import dev.medley.inference.model.LoadedModel;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A job that ranks, on several workers whose shares end within groups. */
@Tag("real")
@Timeout(120)
class RankedRunTest {
    @TempDir Path folder;

    @Test
    void severalWorkersShouldLearnToRankAndStopByTheFirstRows() throws IOException {
        write("train.csv", 1, 40);
        write("validation.csv", 2, 30);
        String yaml =
                """
                data: {train: train.csv, validation: validation.csv, label: grade, group: query}
                model: {family: boosting, rounds: 500, learning_rate: 0.2}
                cluster: {workers: 3, threads: 1}
                train: {metrics: [ndcg@3, loss], evaluate_every: 4, stop: {patience: 2}}
                """;
        JobSpec job = JobFile.parse("job.yaml", yaml, folder, List.of()).spec();
        RunOptions options = Runs.in(folder.resolve("runs"), folder.resolve("cache"));
        RunResult run = JobRun.train(job, options, RunProgress.NONE);
        List<EvaluationRecord> evaluations = RunRecord.read(run.folder()).evaluations();
        assertThat(evaluations).as("training ends early").hasSizeLessThan(100);
        double best =
                evaluations.stream()
                        .map(evaluation -> evaluation.metrics().get(0))
                        .peek(metric -> assertThat(metric.name()).isEqualTo("ndcg@3"))
                        .mapToDouble(MetricValue::value)
                        .max()
                        .orElseThrow();
        assertThat(best).isGreaterThan(0.9);
        try (LoadedModel model = LoadedModel.load(run.folder().model(), 1)) {
            String other = "data: {train: validation.csv, label: grade, group: query}";
            JobSpec judged =
                    JobFile.parse("o.yaml", other + "\nmodel: boosting", folder, List.of()).spec();
            Evaluation again = model.evaluate(judged.data(), folder.resolve("new"));
            assertThat(again.figures().get("ndcg@3")).isEqualTo(best);
        }
    }

    /** Groups of 2 to 31 rows, of a level of their own: what counts is the rest. */
    private void write(String name, long seed, int groups) throws IOException {
        RandomGenerator random = Seeds.generator(seed);
        StringBuilder text = new StringBuilder("query,x,level,grade\n");
        for (int group = 0; group < groups; group++) {
            int level = random.nextInt(3);
            for (int row = 2 + random.nextInt(30); row > 0; row--) {
                double worth = random.nextDouble();
                text.append(
                        "q%d,%s,%d,%d%n".formatted(group, worth + level, level, (int) (4 * worth)));
            }
        }
        Files.writeString(folder.resolve(name), text);
    }
}
