package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.TrainedModel;
import dev.medley.api.job.JobFile;
import dev.medley.api.predict.PredictOptions;
import dev.medley.api.predict.Predictor;
import dev.medley.base.job.JobSpec;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Forecasts of tides at two places, hour by hour: a wave each, which a model can know. */
@Tag("real")
@Timeout(120)
class SeriesRunTest {
    private static final int HOURS = 600;
    private static final int AHEAD = 6;
    private static final String ENCODER =
            "{family: transformer, form: encoder, layers: 1, width: 16, patch: 4, patch_stride: 2}";

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"linear", "{family: gru, layers: 1, width: 16}", ENCODER})
    void shouldForecastWhatRepeats(String model) throws IOException {
        Path table = Files.writeString(folder.resolve("tides.csv"), table());
        String yaml =
                """
                data:
                  train: tides.csv
                  series: {time: hour, by: place, look_back: 24, horizon: %d, test: 0.1}
                model: %s
                train: {steps: 400, optimizer: {kind: adamw, learning_rate: 0.01}}
                cluster: {workers: 2, threads: 1}
                """
                        .formatted(AHEAD, model);
        JobSpec job = JobFile.parse("job.yaml", yaml, folder, List.of()).spec();
        RunOptions options = Runs.in(folder.resolve("runs"), folder.resolve("cache"));
        RunResult run = JobRun.train(job, options, RunProgress.NONE);
        assertThat(Runs.lastLoss(RunRecord.read(run.folder()))).as("mse").isLessThan(0.05);
        try (TrainedModel trained = TrainedModel.load(run.folder().model(), 1)) {
            Map<String, Double> test =
                    trained.evaluate(dev.medley.api.Dataset.of(Predictor.like(trained, table)));
            assertThat(test).containsOnlyKeys("mse", "mae");
            assertThat(test.get("mse")).isLessThan(0.05);
            Path out = folder.resolve("forecast.csv");
            long series =
                    new Predictor(trained, new PredictOptions(1, 1))
                            .write(Predictor.like(trained, table), out, PreparationProgress.NONE);
            assertThat(series).isEqualTo(2);
            requireForecasts(Files.readAllLines(out));
        }
    }

    /** The label says whether a sequence ends above its beginning, which its mean does not tell. */
    @Test
    void shouldTellTheLabelOfWholeSequences() throws IOException {
        StringBuilder text = new StringBuilder("who,day,value,rises\n");
        for (int who = 0; who < 200; who++) {
            int rows = 4 + who % 5;
            boolean rises = who % 2 == 0;
            for (int day = 0; day < rows; day++) {
                double value = who % 7 + (rises ? day : rows - 1 - day);
                text.append("%d,%d,%s,%s%n".formatted(who, day, value, rises ? "yes" : "no"));
            }
        }
        Files.writeString(folder.resolve("sequences.csv"), text);
        String yaml =
                """
                data:
                  train: sequences.csv
                  label: rises
                  series: {time: day, by: who, look_back: 6}
                model: {family: gru, layers: 1, width: 8}
                train: {steps: 150, batch: 32, metrics: auc}
                cluster: {workers: 2, threads: 1}
                """;
        JobSpec job = JobFile.parse("job.yaml", yaml, folder, List.of()).spec();
        RunOptions options = Runs.in(folder.resolve("runs"), folder.resolve("cache"));
        RunResult run = JobRun.train(job, options, RunProgress.NONE);
        assertThat(Runs.lastLoss(RunRecord.read(run.folder()))).as("auc").isGreaterThan(0.9);
    }

    private static void requireForecasts(List<String> lines) {
        assertThat(lines).hasSize(1 + 2 * AHEAD).startsWith("place,hour,level");
        for (int i = 0; i < 2 * AHEAD; i++) {
            String[] cells = lines.get(1 + i).split(",", -1);
            int hour = HOURS + i % AHEAD;
            int place = i / AHEAD;
            assertThat(cells[0]).isEqualTo(place == 0 ? "bay" : "cape");
            assertThat(cells[1]).isEqualTo(time(hour).replace('T', ' '));
            assertThat(Double.parseDouble(cells[2]))
                    .as("%s at %s", cells[0], cells[1])
                    .isCloseTo(level(place, hour), within(0.5));
        }
    }

    private static double level(int place, int hour) {
        return place == 0
                ? 3 + Math.sin(2 * Math.PI * hour / 12)
                : 5 + 2 * Math.cos(2 * Math.PI * hour / 8);
    }

    private static String time(int hour) {
        return LocalDateTime.of(2024, 1, 1, 0, 0).plusHours(hour) + ":00";
    }

    private static String table() {
        StringBuilder text = new StringBuilder("hour,place,level\n");
        for (int hour = 0; hour < HOURS; hour++) {
            for (int place = 0; place < 2; place++) {
                text.append(
                        "%s,%s,%.4f%n"
                                .formatted(
                                        time(hour),
                                        place == 0 ? "bay" : "cape",
                                        level(place, hour)));
            }
        }
        return text.toString();
    }
}
