package dev.medley.spark.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.TrainedModel;
import dev.medley.api.job.JobFile;
import dev.medley.api.job.Settings;
import dev.medley.api.predict.PredictOptions;
import dev.medley.api.predict.Predictor;
import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.spark.LocalCluster;
import dev.medley.spark.rows.DriverRows;
import dev.medley.spark.rows.FrameColumns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Series and sequences of a DataFrame, whose rows lie in no order, are those of a file. */
@Tag("real")
class FrameSeriesTest {
    private static final String FORECAST =
            """
            name: forecast
            model: linear
            data: {series: {time: day, by: [shop], targets: [sold], look_back: 8, horizon: 3}}
            train: {epochs: 2}
            """;
    private static final String SEQUENCES =
            """
            name: sequences
            model: {family: gru, width: 8}
            data: {label: kind, split: 0.2, series: {time: step, by: [device], look_back: 6}}
            train: {epochs: 2}
            """;

    private final SparkSession session = LocalCluster.shared();
    @TempDir Path folder;

    private static DataSpec spec(String job, String train) {
        return JobFile.parse("t", job, Path.of(""), Settings.of(List.of("data.train=" + train)))
                .spec()
                .data();
    }

    /** Three shops of 80 days, in no order. */
    private Dataset<Row> sales() {
        return session.range(0, 240, 1, 4)
                .selectExpr(
                        "date_add(DATE'2024-01-01', CAST(id * 77 % 240 / 3 AS INT)) AS day",
                        "concat('shop ', id * 77 % 240 % 3) AS shop",
                        "sin(id * 77 % 240 / 9) * 5 AS sold",
                        "'none' AS note");
    }

    /** 40 devices of 4 to 9 steps. */
    private Dataset<Row> steps() {
        return session.range(0, 400, 1, 4)
                .selectExpr("id * 37 % 40 AS device", "id * 37 % 400 DIV 40 AS step")
                .where("step < 4 + device % 6")
                .selectExpr(
                        "device",
                        "step",
                        "step * IF(device % 2 = 0, 1.5D, -1.0D) AS x",
                        "IF(device % 2 = 0, 'up', 'down') AS kind");
    }

    private Path file(Dataset<Row> rows, String order) throws Exception {
        List<String> lines = new ArrayList<>();
        lines.add(String.join(",", rows.schema().fieldNames()));
        for (Row row : rows.orderBy(order).collectAsList()) {
            lines.add(row.mkString(","));
        }
        return Files.write(folder.resolve("rows.csv"), lines);
    }

    private PreparedData likeFile(String job, Path file) {
        return Datasets.prepare(
                spec(job, file.toString()), 1, folder.resolve("cache"), PreparationProgress.NONE);
    }

    private static void assertSame(PreparedData found, PreparedData like) throws Exception {
        assertThat(found.encoding()).isEqualTo(like.encoding());
        assertThat(found.train()).isEqualTo(like.train());
        assertThat(found.validation()).isEqualTo(like.validation());
        for (String name : List.of(like.train().name(), like.validation().name())) {
            assertThat(Files.readAllBytes(found.path().resolve(name)))
                    .isEqualTo(Files.readAllBytes(like.path().resolve(name)));
        }
    }

    private MedleyModel trained(String job, Dataset<Row> rows) {
        return new MedleyEstimator()
                .setJob(job)
                .setNumWorkers(2)
                .setRunsFolder(folder.resolve("runs").toString())
                .fit(rows);
    }

    private static FrameColumns.Wanted wanted(String label, String validation, String... inputs) {
        return new FrameColumns.Wanted(List.of(inputs), label, null, validation);
    }

    @Test
    void shouldForecastAsFromAFile() throws Exception {
        Dataset<Row> rows = sales();
        Path file = file(rows, "day");
        DataSpec asked = spec(FORECAST, "DataFrame");
        try (DriverRows data = DriverRows.ofSeries(rows, wanted(null, null), asked, 1)) {
            assertSame(data.prepared(), likeFile(FORECAST, file));
        }
        MedleyModel model = trained(FORECAST, rows);
        Dataset<Row> forecast = model.transform(rows).orderBy("shop", "day");
        assertThat(forecast.schema()).isEqualTo(model.transformSchema(rows.schema()));
        List<Row> found = forecast.collectAsList();
        List<double[]> like = predictions(model, file);
        assertThat(found).hasSize(9);
        assertThat(found.get(0).get(1)).hasToString("2024-03-21");
        for (int i = 0; i < found.size(); i++) {
            assertThat(found.get(i).getDouble(2)).isCloseTo(like.get(i)[0], within(1e-4));
        }
        assertThatThrownBy(() -> DriverRows.ofSeries(rows, wanted(null, "note"), asked, 1).close())
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("validationIndicatorCol=note", "data.series.validation");
        assertThatThrownBy(() -> trained(FORECAST, rows.where("day != DATE'2024-02-01'")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("DataFrame", "fill the gap");
    }

    /** The last column of what a file of predictions says. */
    private List<double[]> predictions(MedleyModel model, Path file) throws Exception {
        Path saved = folder.resolve("model");
        model.write().overwrite().save(saved.toString());
        Path out = folder.resolve("predictions.csv");
        try (TrainedModel loaded = TrainedModel.load(saved.resolve("medley"), 1)) {
            new Predictor(loaded, new PredictOptions(1, 1))
                    .write(Predictor.like(loaded, file), out, PreparationProgress.NONE);
        }
        return Files.readAllLines(out).stream()
                .skip(1)
                .map(line -> line.substring(line.lastIndexOf(',') + 1))
                .map(text -> new double[] {Double.parseDouble(text)})
                .toList();
    }

    /** An hour that a clock shows twice is two hours. */
    @Test
    void shouldReadHoursWhateverTheZone() {
        String zone = "spark.sql.session.timeZone";
        String before = session.conf().get(zone);
        session.conf().set(zone, "Europe/Berlin");
        try {
            Dataset<Row> rows =
                    session.range(0, 120, 1, 3)
                            .selectExpr(
                                    "timestamp_seconds(1729800000 + 3600 * id) AS at",
                                    "id % 24 / 3 AS load");
            MedleyModel model =
                    trained(
                            "{name: hours, model: linear, train: {epochs: 1}, data: {series:"
                                    + " {time: at, look_back: 24, horizon: 2}}}",
                            rows);
            List<Row> found = model.transform(rows).selectExpr("unix_seconds(at)").collectAsList();
            assertThat(found.stream().map(row -> row.getLong(0)).sorted().toList())
                    .containsExactly(1729800000L + 3600 * 120, 1729800000L + 3600 * 121);
        } finally {
            session.conf().set(zone, before);
        }
    }

    @Test
    void shouldClassifySequencesAsFromAFile() throws Exception {
        Dataset<Row> rows = steps();
        Path file = file(rows, "x");
        try (DriverRows data =
                DriverRows.ofSeries(
                        rows,
                        wanted("kind", null, "device", "step", "x"),
                        spec(SEQUENCES, "DataFrame"),
                        1)) {
            assertSame(data.prepared(), likeFile(SEQUENCES, file));
        }
        MedleyModel model = trained(SEQUENCES, rows);
        List<Row> found = model.transform(rows).collectAsList();
        assertThat(found).hasSize(40);
        assertThat(found.get(0).schema().fieldNames())
                .containsExactly("device", "prediction", "probability");
        assertThat(found.stream().map(row -> row.getLong(0)).sorted().toList())
                .hasSize(40)
                .startsWith(0L, 1L)
                .doesNotHaveDuplicates();
    }
}
