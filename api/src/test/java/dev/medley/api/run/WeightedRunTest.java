package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.Dataset;
import dev.medley.api.TrainedModel;
import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.JobSpec;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose rows count unlike much. */
@Tag("real")
@Timeout(120)
class WeightedRunTest {
    private static final int ROWS = 300;

    @TempDir Path folder;

    @Test
    void unevenSharesShouldLearnWhatOneWorkerDoes() throws IOException {
        Files.writeString(folder.resolve("table.csv"), table());
        RunResult alone = train("{workers: 1, threads: 1}", "{shares: [1]}", 1);
        RunResult parts = train("{workers: 3, threads: 1}", "{shares: [5, 1, 2]}", 2);
        List<Double> losses = losses(alone);
        assertThat(losses).hasSize(12);
        for (int i = 0; i < losses.size(); i++) {
            assertThat(losses(parts).get(i)).isCloseTo(losses.get(i), within(1e-9));
        }
        List<MetricValue> figures = metrics(alone);
        assertThat(figures).hasSize(4);
        for (int i = 0; i < figures.size(); i++) {
            assertThat(metrics(parts).get(i).value())
                    .as(figures.get(i).name())
                    .isCloseTo(figures.get(i).value(), within(1e-6));
        }
        Path held = folder.resolve("held.csv");
        Files.writeString(held, "x,c,y,w\n1,0,no,3\n2,1,yes,0\n-1,0,no,1\n");
        Path often = folder.resolve("often.csv");
        Files.writeString(often, "x,c,y\n1,0,no\n1,0,no\n1,0,no\n-1,0,no\n");
        try (TrainedModel model = TrainedModel.load(alone.folder().model(), 1)) {
            Map<String, Double> weighted = model.evaluate(Dataset.table(held).label("y"));
            Map<String, Double> plain = model.evaluate(Dataset.table(often).label("y"));
            for (String metric : List.of("accuracy", "log_loss", "loss")) {
                assertThat(weighted.get(metric))
                        .as(metric)
                        .isCloseTo(plain.get(metric), within(1e-6));
            }
        }
    }

    @Test
    void aClassThatIsNotThereShouldBeRefusedBeforeDataIsPrepared() throws IOException {
        Files.writeString(folder.resolve("table.csv"), table());
        String yaml =
                "data: {train: table.csv, label: y}\nmodel: {family: mlp, hidden: [8]}\n"
                        + "train: {steps: 1, class_weights: {'yess': 2}}\n";
        JobSpec job = JobFile.parse("job.yaml", yaml, folder, List.of()).spec();
        RunOptions options = Runs.in(folder.resolve("runs"), folder.resolve("cache"));
        List<String> phases = new ArrayList<>();
        assertThatThrownBy(() -> JobRun.prepare(job, options.cache(), (p, d, t) -> phases.add(p)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "train.class_weights: there is no class 'yess', did you mean 'yes'?; the"
                                + " classes are: no, yes");
        assertThat(phases).doesNotContain("fitting", "encoding");
    }

    private RunResult train(String cluster, String strategy, int accumulate) {
        String yaml =
                """
                data: {train: table.csv, label: y, weight: w, split: {kind: tail, validation: 0.2}}
                model: {family: mlp, hidden: [8]}
                train:
                  steps: 12
                  batch: 50
                  accumulate: %d
                  precision: fp64
                  class_weights: {yes: 2}
                  metrics: [auc, accuracy, log_loss, loss]
                cluster: %s
                strategy: %s
                """
                        .formatted(accumulate, cluster, strategy)
                        .replace("yes:", "'yes':");
        JobSpec job = JobFile.parse("job.yaml", yaml, folder, List.of()).spec();
        RunOptions options = Runs.in(folder.resolve("runs"), folder.resolve("cache"));
        return JobRun.train(job, options, RunProgress.NONE);
    }

    private static List<Double> losses(RunResult run) {
        return RunRecord.read(run.folder()).steps().stream().map(StepRecord::loss).toList();
    }

    private static List<MetricValue> metrics(RunResult run) {
        List<EvaluationRecord> all = RunRecord.read(run.folder()).evaluations();
        return all.get(all.size() - 1).metrics();
    }

    private static String table() {
        RandomGenerator random = Seeds.generator(9);
        StringBuilder text = new StringBuilder("w,x,c,y\n");
        for (int i = 0; i < ROWS; i++) {
            double x = random.nextGaussian();
            double weight = i % 3 == 0 ? 0 : random.nextInt(8) / 4.0;
            text.append("%s,%s,%d,%s\n".formatted(weight, x, i % 4, x > 0 ? "yes" : "no"));
        }
        return text.toString();
    }
}
