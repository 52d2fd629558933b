package dev.medley.loop.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.data.table.engine.DuckDb;
import dev.medley.loop.damage.ScoreCalibration;
import dev.medley.loop.decide.JudgedMetric;
import dev.medley.loop.decide.MeasuredFigure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Rows in Parquet files that arrive window by window, and what is said of them. */
@Tag("unit")
@Timeout(120)
class ModelWatchTest {
    private static final int ROWS = 3000;

    @TempDir private static Path shared;
    private static DuckDb db;
    private static ModelReference reference;

    @TempDir private Path folder;

    @BeforeAll
    static void begin() throws Exception {
        db = DuckDb.forFiles(List.of(), shared);
        reference = reference(shared);
    }

    @AfterAll
    static void end() throws IOException {
        db.close();
    }

    private Path rows(String name, int count, double loud, double costly, int seed)
            throws Exception {
        return rows(folder, name, count, loud, costly, seed);
    }

    @Test
    void whatCostsMostShouldComeBeforeWhatIsPlainest() throws Exception {
        ModelWatch watch = ModelWatch.begun(reference, 0.05);
        try (ColumnReader reader = new ColumnReader(folder)) {
            for (int window = 1; window <= 4; window++) {
                // Loud moves much and costs nothing; costly moves less, to where losses are large.
                Path rows = rows("w" + window, 500, 2, 0.8, window);
                watch = kept(watch.after(reader, rows, 500, answers(rows), window));
            }
        }
        List<ColumnStanding> standings = watch.standings(reference);
        assertThat(standings)
                .extracting(ColumnStanding::column)
                .startsWith("costly", "loud")
                .contains("colour");
        ColumnStanding costly = standings.get(0);
        ColumnStanding loud = standings.get(1);
        assertThat(loud.standing().evidence()).isGreaterThan(costly.standing().evidence());
        assertThat(loud.standing().isAlarm()).isTrue();
        assertThat(costly.words()).contains("costly: values are", "raises the mean loss by");
        assertThat(standings.get(2).standing().isAlarm()).isFalse();
        assertThat(watch.rows()).isEqualTo(2000);
        assertThat(watch.columns().get(0).newest()).hasSize(2);
    }

    @Test
    void answersThatMoveShouldBeNoticedAndLetExpectAnotherFigure() throws Exception {
        ModelWatch watch = ModelWatch.begun(reference, 0.05);
        try (ColumnReader reader = new ColumnReader(folder)) {
            Path rows = rows("w", 2000, 0, 1.5, 1);
            watch = kept(watch.after(reader, rows, 2000, answers(rows), 1));
        }
        assertThat(watch.ofAnswers("answers").standing().isAlarm()).isTrue();
        ExpectedFigure expected = watch.expected(reference, JudgedMetric.LOG_LOSS);
        assertThat(expected.rows()).isEqualTo(2000);
        assertThat(expected.figure()).isNotEqualTo(expected.was());
        assertThat(watch.expected(reference, JudgedMetric.RMSE)).isNull();
    }

    @Test
    void answersShouldBeComparedWithTheFirstThatCameWhereNoneJudged() throws Exception {
        ModelReference judged = ModelWatchTest.reference;
        ModelReference reference =
                new ModelReference(1, ROWS, judged.columns(), null, judged.judged());
        ModelWatch watch = ModelWatch.begun(reference, 0.05);
        try (ColumnReader reader = new ColumnReader(folder)) {
            for (int window = 1; window <= 6; window++) {
                Path rows = rows("w", 400, 0, window < 4 ? 0 : 2, window);
                watch = kept(watch.after(reader, rows, 400, answers(rows), window));
                ColumnStanding standing = watch.ofAnswers("answers");
                assertThat(standing == null).isEqualTo(window < 3);
                assertThat(standing != null && standing.standing().isAlarm()).isEqualTo(window > 3);
            }
        }
    }

    @Test
    void aColumnThatIsGoneShouldBeWatchedNoLongerAndTheOthersShould() throws Exception {
        ModelWatch watch = ModelWatch.begun(reference, 0.05);
        try (ColumnReader reader = new ColumnReader(folder)) {
            Path rows = rows("w", 800, 0, 0, 1);
            Path fewer = folder.resolve("fewer.parquet");
            sql(
                    "COPY (SELECT loud::VARCHAR AS loud, colour FROM read_parquet(%s)) TO %s"
                            + " (FORMAT parquet)",
                    rows, fewer);
            watch = watch.after(reader, fewer, 800, null, 1);
        }
        assertThat(watch.standings(reference))
                .extracting(ColumnStanding::column)
                .containsExactly("colour");
        assertThat(watch.ofAnswers("answers")).isNull(); // None have come.
    }

    @Test
    void whatIsKeptShouldNotGrowWithTheRows() throws Exception {
        ModelWatch watch = ModelWatch.begun(reference, 0.05);
        int after10 = 0;
        try (ColumnReader reader = new ColumnReader(folder)) {
            for (int window = 1; window <= 60; window++) {
                Path rows = rows("w", 400, 0, 0, window);
                watch = kept(watch.after(reader, rows, 400, answers(rows), window));
                after10 = window == 10 ? Json.bytes(watch).length : after10;
            }
        }
        // Numbers of windows and counts have more digits, and nothing else.
        assertThat(Json.bytes(watch).length).isBetween(after10 / 2, after10 + after10 / 10);
        assertThat(watch.standings(reference)).noneMatch(s -> s.standing().isAlarm());
    }

    @Test
    void statisticsShouldCountAllRowsHoweverManyCategoriesThereAre() throws Exception {
        KeptColumn few = column("few", List.of("a", "a", "b"));
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            names.add("name" + i % 500);
        }
        KeptColumn many = column("many", names);
        ColumnStatistics statistics =
                ColumnStatistics.of(many, new KeptColumn("many", null, few.categories()));
        assertThat(statistics.chiSquared()).isNotNull();
        assertThat(statistics.jensenShannon()).isBetween(0.99, 1.0);
        assertThat(ColumnStatistics.of(many, many).psi()).isZero();
        assertThat(statistics.words()).startsWith("chi2 ");
    }

    private KeptColumn column(String name, List<String> values) throws Exception {
        Path file = folder.resolve(name + ".parquet");
        sql(
                "COPY (SELECT unnest(%s) AS c) TO %s (FORMAT parquet)"
                        .formatted(DuckDb.list(values), "%s"),
                file);
        try (ColumnReader reader = new ColumnReader(folder)) {
            return reader.keptCategories(file, "c");
        }
    }

    /** Goes through its file, as between two runs. */
    private static ModelWatch kept(ModelWatch watch) {
        return Json.parse(Json.bytes(watch), ModelWatch.class);
    }

    private static ModelReference reference(Path folder) throws Exception {
        Path rows = rows(folder, "learnt", ROWS, 0, 0, 99);
        Path judging = rows(folder, "judging", ROWS, 0, 0, 98);
        try (ColumnReader reader = new ColumnReader(folder)) {
            List<KeptColumn> columns = new ArrayList<>();
            List<ColumnLosses> losses = new ArrayList<>();
            double[] costly = reader.numbers(judging, "costly");
            double[] scores = reader.numbers(judging, "score");
            double[] ofRows = Arrays.stream(costly).map(Math::exp).toArray();
            RandomGenerator random = Seeds.generator(5);
            double[] labels = new double[ROWS];
            Arrays.setAll(labels, i -> random.nextDouble() < scores[i] ? 1 : 0);
            for (Map.Entry<String, Boolean> column :
                    reader.columns(rows, Set.of("score")).entrySet()) {
                String name = column.getKey();
                columns.add(
                        column.getValue()
                                ? reader.keptNumbers(rows, name, 0)
                                : reader.keptCategories(rows, name));
                losses.add(
                        column.getValue()
                                ? ColumnLosses.of(name, reader.numbers(judging, name), ofRows)
                                : ColumnLosses.of(name, reader.texts(judging, name), ofRows));
            }
            ModelReference.Judged judged =
                    new ModelReference.Judged(
                            MeasuredFigure.of(JudgedMetric.LOG_LOSS, labels, scores, 0.95, 0),
                            ScoreCalibration.of(scores, labels),
                            losses);
            ModelReference reference =
                    new ModelReference(
                            1, ROWS, columns, reader.keptNumbers(judging, "score", 0), judged);
            return Json.parse(Json.bytes(reference), ModelReference.class);
        }
    }

    private static ModelWatch.Answered answers(Path rows) {
        return new ModelWatch.Answered(rows, "score");
    }

    private static Path rows(
            Path folder, String name, int count, double loud, double costly, int seed)
            throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        StringBuilder values = new StringBuilder();
        for (int i = 0; i < count; i++) {
            double cost = random.nextGaussian() + costly;
            values.append(i == 0 ? "" : ", ")
                    .append(
                            "(%.5f, %.5f, '%s', %.5f)"
                                    .formatted(
                                            random.nextGaussian() + loud,
                                            cost,
                                            "abc".charAt(random.nextInt(3)),
                                            1 / (1 + Math.exp(-cost))));
        }
        Path file = folder.resolve(name + ".parquet");
        sql(
                "COPY (SELECT * FROM (VALUES "
                        + values
                        + ") t(loud, costly, colour, score)) TO %s (FORMAT parquet)",
                file);
        return file;
    }

    private static void sql(String format, Object... files) throws Exception {
        Object[] texts = Arrays.stream(files).map(f -> DuckDb.text(f.toString())).toArray();
        db.execute(format.formatted(texts));
    }
}
