package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.job.JobFile;
import dev.medley.base.Seeds;
import dev.medley.base.job.JobSpec;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A table of which one row has a number that is a million times as large as the others. */
@Tag("real")
@Timeout(120)
class FarNumberTest {
    private static final int ROWS = 2000;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(ints = {3, ROWS - 3})
    void shouldCostNoMoreThanAnyOther(int farRow) throws IOException {
        RandomGenerator random = Seeds.generator(5);
        StringBuilder text = new StringBuilder("debt,y\n");
        for (int i = 0; i < ROWS; i++) {
            double debt = i == farRow ? 693_375_640 : 100 + 50 * random.nextGaussian();
            text.append(debt).append(',').append(debt > 100 ? "good" : "bad").append('\n');
        }
        Files.writeString(folder.resolve("table.csv"), text);
        String yaml =
                """
                data: {train: table.csv, label: y, split: {kind: tail, validation: 0.2}}
                model: mlp
                cluster: {workers: 1, threads: 1}
                train: {steps: 200, metrics: [log_loss, loss], evaluate_every: 20}
                """;
        JobSpec job = JobFile.parse("job.yaml", yaml, folder, List.of()).spec();
        RunOptions options = Runs.in(folder.resolve("runs"), folder.resolve("cache"));
        RunResult run = JobRun.train(job, options, RunProgress.NONE);
        List<EvaluationRecord> evaluations = RunRecord.read(run.folder()).evaluations();
        assertThat(evaluations).hasSize(10);
        for (EvaluationRecord evaluation : evaluations) {
            for (MetricValue metric : evaluation.metrics()) {
                assertThat(metric.value()).as(metric.name()).isLessThan(1);
            }
        }
    }
}
