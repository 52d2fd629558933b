package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.Adam;
import dev.medley.api.DataParallel;
import dev.medley.api.Dataset;
import dev.medley.api.Epochs;
import dev.medley.api.Models;
import dev.medley.api.TrainedModel;
import dev.medley.api.Trainer;
import dev.medley.api.job.JobFile;
import dev.medley.api.predict.Predictor;
import dev.medley.base.Seeds;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec.StopSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples learn from real data what they promise. A run ends as soon as it has reached what it
 * has to. Of Fashion-MNIST it is from a sixth of the images, since the whole takes minutes: {@code
 * -Dmedley.images=all} has the example reach its 90 per cent.
 */
@Tag("real")
class QualityTest {
    private static final boolean IS_WHOLE = "all".equals(System.getProperty("medley.images"));

    /** One of so many images. */
    private static final int PART = IS_WHOLE ? 1 : 6;

    /** With a thread each: several threads of one worker wait for each other on a busy machine. */
    private static final String WORKERS = "cluster={workers: 2, threads: 1}";

    /** Prepared once for all tests. */
    @TempDir static Path cache;

    @TempDir Path folder;

    @Test
    void fashionCnnShouldReachItsAccuracyInFourEpochsWithDefaults() throws IOException {
        Path data = SharedData.someOf("fashion-mnist/idx", folder.resolve("some"), PART);
        double accuracy = IS_WHOLE ? 0.9 : 0.85;
        JobSpec job =
                example(
                        "fashion-cnn.yaml",
                        "data=" + data,
                        "train.stop.target=" + accuracy,
                        WORKERS);
        RunResult result = JobRun.train(job, options(), RunProgress.NONE);
        assertReached(result, "accuracy", accuracy);
    }

    @Test
    void aSmallCnnShouldReach78PerCentInOneEpochWithPlainAdam() throws IOException {
        Path data = SharedData.someOf("fashion-mnist/idx", folder.resolve("some"), PART);
        Trainer trainer =
                Trainer.builder()
                        .model(Models.cnn(8, 16))
                        .optimizer(Adam.of(2e-3))
                        .strategy(DataParallel.workers(2))
                        .batch(32)
                        .evaluateEvery(100)
                        .stop(new StopSpec(0.78, 0, 0))
                        .options(options())
                        .build();
        RunResult result = trainer.run(Dataset.images(data), Epochs.of(1));
        assertReached(result, "accuracy", 0.78);
    }

    /** Of images of 8 x 8 pixels, since 28 x 28 take twelve times as long. */
    @Test
    void fashionResnetShouldLearnSmallImagesInThreeEpochs() throws IOException {
        Path data = SharedData.someOf("fashion-mnist/idx", folder.resolve("some"), 60);
        JobSpec job =
                example(
                        "fashion-resnet.yaml",
                        "data.train=" + data,
                        "data.image={height: 8, width: 8, normalise: true, flip: true, jitter:"
                                + " 0.1}",
                        "train={epochs: 3, batch: 32, evaluate_every: 16, stop: {target: 0.6}}",
                        "cluster={workers: 1, threads: 2}");
        RunResult result = JobRun.train(job, options(), RunProgress.NONE);
        assertReached(result, "accuracy", 0.6);
    }

    @Test
    void adultMlpShouldReachAnAucOfMoreThan92PerCent() throws IOException {
        Path train = SharedData.unpacked("uci-adult/adult.data.gz", folder.resolve("train.csv"));
        Path test = SharedData.unpacked("uci-adult/adult.test.gz", folder.resolve("test.csv"));
        JobSpec job =
                example(
                        "adult-mlp.yaml",
                        "data.train=" + train,
                        "data.validation=" + test,
                        "train.stop.target=0.922",
                        WORKERS);
        RunResult result = JobRun.train(job, options(), RunProgress.NONE);
        assertReached(result, "auc", 0.922);
    }

    /** Three epochs; after its ten the example is at 0.375 in the test part. */
    @Test
    void etth1LinearShouldForecastTheTestPart() {
        Path table = SharedData.of("ett/ETTh1.csv.gz");
        JobSpec job =
                example("etth1-linear.yaml", "data.train=" + table, "train.epochs=3", WORKERS);
        RunResult result = JobRun.train(job, options(), RunProgress.NONE);
        try (TrainedModel model = TrainedModel.load(result.folder().model(), 1)) {
            Map<String, Double> test = model.evaluate(Dataset.of(Predictor.like(model, table)));
            assertThat(test.get("mse")).isLessThan(0.39);
            assertThat(test.get("mae")).isLessThan(0.41);
        }
    }

    @Test
    void aNumberFarFromZeroShouldBeLearntWithDefaults() throws IOException {
        RandomGenerator random = Seeds.generator(7);
        StringBuilder rows = new StringBuilder("area,rooms,town,price\n");
        for (int i = 0; i < 4000; i++) {
            double area = 20 + 180 * random.nextDouble();
            int rooms = 1 + random.nextInt(6);
            boolean isCity = random.nextBoolean();
            double price = 40_000 + area * (isCity ? 4200 : 2100) + 9000 * rooms;
            rows.append(
                    "%.2f,%d,%s,%.2f%n".formatted(area, rooms, isCity ? "city" : "land", price));
        }
        Path file = Files.writeString(folder.resolve("homes.csv"), rows);
        Path job =
                Files.writeString(
                        folder.resolve("job.yaml"),
                        "name: homes\ndata: {train: %s, label: price}\nmodel: mlp\ntrain: {epochs: 4}\n"
                                .formatted(file));
        RunResult result =
                JobRun.train(JobFile.read(job, List.of()).spec(), options(), RunProgress.NONE);
        double rmse =
                RunRecord.read(result.folder()).evaluations().stream()
                        .mapToDouble(evaluation -> evaluation.metrics().get(0).value())
                        .min()
                        .orElseThrow();
        assertThat(rmse)
                .as("RMSE in the label's own units, its deviation is 210,000")
                .isBetween(100.0, 40_000.0);
    }

    private static JobSpec example(String name, String... overrides) {
        Path file = SharedData.checkout().resolve("examples").resolve(name);
        return JobFile.read(file, List.of(overrides)).spec();
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"), cache);
    }

    private static void assertReached(RunResult result, String metric, double figure) {
        assertThat(result.outcome().kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        List<MetricValue> figures =
                RunRecord.read(result.folder()).evaluations().stream()
                        .map(evaluation -> evaluation.metrics().get(0))
                        .toList();
        assertThat(figures).isNotEmpty().extracting(MetricValue::name).containsOnly(metric);
        assertThat(figures).extracting(MetricValue::value).anyMatch(value -> value >= figure);
    }
}
