package dev.medley.data.table.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.SeriesSpec;
import dev.medley.base.job.SeriesSpec.Scaling;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.PredictionWriter;
import dev.medley.data.dataset.PredictionWriter.ColumnType;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.SeriesEncoding;
import dev.medley.data.order.SampleRange;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two stores, one of 20 days and one of 14; the value of a day says which store and which day. */
@Tag("unit")
class SeriesDataTest {
    private static final SeriesSpec STORES =
            new SeriesSpec(
                    "day",
                    List.of("store"),
                    List.of("sold"),
                    List.of(),
                    4,
                    2,
                    Scaling.NONE,
                    "2024-01-10",
                    "2024-01-14",
                    null);

    @TempDir Path folder;

    /** Of store a days 1 to 20 are 1 to 20, of store b days 1 to 14 are 101 to 114. */
    private Path stores(String... more) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int day = 20; day >= 1; day--) {
            lines.add("2024-01-%02d,a,%d".formatted(day, day));
            if (day <= 14) {
                lines.add("2024-01-%02d,b,%d".formatted(day, 100 + day));
            }
        }
        lines.addAll(List.of(more));
        lines.add(0, "day,store,sold");
        return Files.write(folder.resolve("stores.csv"), lines);
    }

    private PreparedData prepare(Path file, SeriesSpec series) {
        return Datasets.prepare(
                Given.files(file).series(series).spec(),
                1,
                folder.resolve("cache"),
                PreparationProgress.NONE);
    }

    /** What windows see and are asked for, row by row of a batch. */
    private static List<List<Integer>> windows(Batch batch) {
        float[] past = Given.floats(batch.inputs().get(0));
        float[] asked = Given.floats(batch.target());
        List<List<Integer>> windows = new ArrayList<>();
        for (int i = 0; i < batch.samples(); i++) {
            List<Integer> window = new ArrayList<>();
            for (int k = 0; k < past.length / batch.samples(); k++) {
                window.add((int) past[i * past.length / batch.samples() + k]);
            }
            for (int k = 0; k < asked.length / batch.samples(); k++) {
                window.add((int) asked[i * asked.length / batch.samples() + k]);
            }
            windows.add(window);
        }
        return windows;
    }

    private static List<List<Integer>> train(PreparedData data) {
        try (TrainingData open = TrainingData.open(data, 1, Clock.system());
                BatchStream stream =
                        open.train(s -> new SampleRange(0, 0, data.trainSamples()), 1, 1)) {
            return windows(stream.next());
        }
    }

    private static List<List<Integer>> validation(PreparedData data) {
        try (TrainingData open = TrainingData.open(data, 1, Clock.system())) {
            return windows(open.validation(0, data.validationSamples()));
        }
    }

    @Test
    void shouldAskInEachSplitForRowsOfThatSplitAlone() throws IOException {
        PreparedData data = prepare(stores(), STORES);
        Set<List<Integer>> trained = new HashSet<>(train(data));
        assertThat(trained).hasSize(8).contains(List.of(1, 2, 3, 4, 5, 6));
        assertThat(trained).allSatisfy(w -> assertThat(w.get(5) % 100).isLessThan(10));
        assertThat(trained).contains(List.of(104, 105, 106, 107, 108, 109));
        assertThat(validation(data))
                .containsExactly(
                        List.of(6, 7, 8, 9, 10, 11),
                        List.of(7, 8, 9, 10, 11, 12),
                        List.of(8, 9, 10, 11, 12, 13),
                        List.of(106, 107, 108, 109, 110, 111),
                        List.of(107, 108, 109, 110, 111, 112),
                        List.of(108, 109, 110, 111, 112, 113));
        assertThat(data.findings().sentences().get(0))
                .isEqualTo(
                        "2 series of 34 rows, 1 d apart, of 1 column; 8 windows of 4 and 2 rows to"
                                + " train, 6 to validate from 2024-01-10; from 2024-01-14 on rows"
                                + " are left for medley evaluate");
    }

    @Test
    void categoriesShouldBeKnownAhead() throws IOException {
        List<String> lines = new ArrayList<>(List.of("day,store,sold,event"));
        for (int day = 1; day <= 20; day++) {
            lines.add("2024-01-%02d,a,%d,%s".formatted(day, day, day % 5 == 0 ? "fair" : ""));
        }
        Path file = Files.write(folder.resolve("events.csv"), lines);
        PreparedData data = prepare(file, STORES.withKnown(List.of("event")));
        SeriesEncoding encoding = (SeriesEncoding) data.encoding();
        assertThat(encoding.ahead()).containsExactly("event=fair", "event missing");
        assertThat(encoding.aheadColumns()).containsExactly("event");
        try (TrainingData open = TrainingData.open(data, 1, Clock.system())) {
            Batch batch = open.validation(0, 1);
            assertThat(Given.floats(batch.inputs().get(0))).containsExactly(6, 7, 8, 9);
            assertThat(Given.floats(batch.inputs().get(1)))
                    .as("days 6 to 11, of which 10 has a fair")
                    .containsExactly(0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1);
        }
        for (int day = 21; day <= 22; day++) {
            lines.add("2024-01-%02d,a,,%s".formatted(day, day == 22 ? "fair" : "flood"));
        }
        Path next = Files.write(folder.resolve("next.csv"), lines);
        PreparedData inputs =
                Datasets.encodeInputs(
                        encoding,
                        Given.files(next).series(STORES).spec(),
                        folder.resolve("cache"),
                        PreparationProgress.NONE);
        try (TrainingData open = TrainingData.open(inputs, 1, Clock.system())) {
            Batch batch = open.validation(0, 1);
            assertThat(Given.floats(batch.inputs().get(1)))
                    .as("days 17 to 22")
                    .containsExactly(0, 1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0);
        }
    }

    @Test
    void shouldKnowWhetherRowsAreLeftForAnEvaluation() throws IOException {
        Path file = stores();
        SeriesEncoding all = (SeriesEncoding) prepare(file, until("day", "0")).encoding();
        assertThat(all.test()).isNull();
        SeriesEncoding some = (SeriesEncoding) prepare(file, STORES).encoding();
        assertThat(some.test()).isNotNull();
    }

    @Test
    void shouldSayWhichColumnIsNone() throws IOException {
        Path file = stores();
        assertThatThrownBy(() -> prepare(file, until("dya", "0")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("data.series.time", "dya");
        Path none = Files.write(folder.resolve("none.csv"), List.of("day,sold", "2024-01-01,1"));
        assertThatThrownBy(() -> prepare(none, until("day", "0")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("data.series.by", "store");
    }

    private static SeriesSpec until(String time, String test) {
        return new SeriesSpec(
                time,
                List.of("store"),
                List.of("sold"),
                List.of(),
                4,
                2,
                Scaling.NONE,
                "2024-01-10",
                test,
                null);
    }

    @Test
    void shouldEvaluateEveryWindowThatTrainingDidNotSee() throws IOException {
        Path file = stores();
        PreparedData trained = prepare(file, STORES);
        PreparedData data = encoded(trained, file);
        assertThat(validation(data))
                .containsExactly(
                        List.of(10, 11, 12, 13, 14, 15),
                        List.of(11, 12, 13, 14, 15, 16),
                        List.of(12, 13, 14, 15, 16, 17),
                        List.of(13, 14, 15, 16, 17, 18),
                        List.of(14, 15, 16, 17, 18, 19),
                        List.of(15, 16, 17, 18, 19, 20));
    }

    private PreparedData encoded(PreparedData trained, Path file) {
        return Datasets.encode(
                trained.encoding(),
                trained.spec().series() == null
                        ? trained.spec()
                        : Given.files(file).series(trained.spec().series()).spec(),
                folder.resolve("cache"),
                PreparationProgress.NONE);
    }

    @Test
    void sharesShouldBeOfTheTimeAndScalesOfTheTrainingPart() throws IOException {
        PreparedData data =
                prepare(
                        stores(),
                        new SeriesSpec(
                                "day",
                                List.of("store"),
                                List.of(),
                                List.of(),
                                4,
                                2,
                                Scaling.SERIES,
                                "0.3",
                                "0.2",
                                "2024-01-21"));
        SeriesEncoding encoding = (SeriesEncoding) data.encoding();
        assertThat(encoding.targets()).containsExactly("sold");
        assertThat(encoding.scales())
                .extracting(scale -> scale.series() + " " + scale.targets().get(0).centre())
                .containsExactly("[a] 5.5", "[b] 105.5");
        assertThat(data.trainSamples()).as("days 1 to 10").isEqualTo(10);
        assertThat(data.validationSamples()).as("days 11 to 16, and to 14").isEqualTo(5 + 3);
    }

    @Test
    void shouldForecastBeyondTheEndOfEachSeries() throws IOException {
        Path file = stores();
        PreparedData trained =
                prepare(
                        file,
                        new SeriesSpec(
                                "day",
                                List.of("store"),
                                List.of("sold"),
                                List.of(),
                                4,
                                2,
                                Scaling.SERIES,
                                "0.3",
                                "0",
                                null));
        PreparedData inputs =
                Datasets.encodeInputs(
                        trained.encoding(),
                        trained.spec(),
                        folder.resolve("cache"),
                        PreparationProgress.NONE);
        assertThat(inputs.validationSamples()).isEqualTo(2);
        Path out = folder.resolve("out.csv");
        try (PredictionWriter writer =
                PredictionWriter.open(inputs, Map.of("sold", ColumnType.NUMBER), out)) {
            writer.add(0.0, 1.0);
            writer.add(-1.0, 0.0);
            writer.finish();
        }
        List<String> lines = Files.readAllLines(out);
        assertThat(lines).hasSize(5).startsWith("store,day,sold");
        assertThat(lines.get(1)).startsWith("a,2024-01-21,7.5");
        assertThat(lines.get(3)).startsWith("b,2024-01-15,");
        assertThat(lines.get(4)).startsWith("b,2024-01-16,107.5");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2024-01-03,a,9 | %s, row 29 (line 30) and row 35 (line 36): the series 'a' has two"
                        + " rows for 2024-01-03: keep one, or name what tells them apart in"
                        + " data.series.by",
                "2024-01-23,a,9 | %s, row 35 (line 36): the series 'a' has no row between"
                    + " 2024-01-20 and 2024-01-23, where rows are 1 d apart: fill the gap, or leave"
                    + " out what is before it",
                "2024-01-15,b, | %s, row 35 (line 36), column 'sold': the series 'b' has no value"
                        + " at 2024-01-15: fill it in, since a model sees all rows of a window",
                "2024-01-01,c,1 | %s: the series 'c' has 1 rows to train on, fewer than one window"
                        + " of data.series.look_back=4 and data.series.horizon=2: make windows"
                        + " shorter, or leave the series out",
            })
    void shouldSayWhatIsWrongWithARow(String row, String message) throws IOException {
        Path file = stores(row);
        assertThatThrownBy(() -> prepare(file, STORES))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message.formatted(file));
    }

    @Test
    void shouldRefuseALookBackLongerThanTheSeries() throws IOException {
        Path file = stores();
        SeriesSpec series =
                new SeriesSpec(
                        "day",
                        List.of("store"),
                        List.of(),
                        List.of(),
                        30,
                        2,
                        Scaling.NONE,
                        "0.1",
                        "0",
                        null);
        assertThatThrownBy(() -> prepare(file, series))
                .hasMessageContaining(
                        "the series 'a' has 18 rows to train on, fewer than one window of"
                                + " data.series.look_back=30 and data.series.horizon=2");
        PreparedData trained = prepare(file, STORES);
        Path brief =
                Files.writeString(
                        folder.resolve("brief.csv"),
                        "day,store,sold\n2024-01-01,a,1\n2024-01-02,a,2\n");
        assertThatThrownBy(
                        () ->
                                Datasets.encodeInputs(
                                        trained.encoding(),
                                        Given.files(brief).series(STORES).spec(),
                                        folder.resolve("cache"),
                                        PreparationProgress.NONE))
                .hasMessage(
                        brief
                                + ": the series 'a' has 2 rows, fewer than the 4 that the model"
                                + " looks back on: add those before them");
    }

    @Test
    void shouldSayThatNothingIsBeforeTheEnd() throws IOException {
        Path file = stores();
        SeriesSpec early =
                new SeriesSpec(
                        "day",
                        List.of("store"),
                        List.of("sold"),
                        List.of(),
                        4,
                        2,
                        Scaling.NONE,
                        "0.1",
                        "0",
                        "2023-01-01");
        assertThatThrownBy(() -> prepare(file, early))
                .hasMessage(
                        "data.series.until=2023-01-01: no row of %s is before it: name a later time"
                                .formatted(file));
    }

    private Path withPrices(int ahead) throws IOException {
        List<String> lines = new ArrayList<>(List.of("day,store,sold,price"));
        for (int day = 1; day <= 20 + ahead; day++) {
            String sold = day <= 20 ? "" + day : "";
            lines.add("2024-01-%02d,a,%s,%d".formatted(day, sold, 10 * day));
        }
        return Files.write(folder.resolve("prices" + ahead + ".csv"), lines);
    }

    @Test
    void whatIsKnownAheadShouldStandBesideTheRowsThatAreSeenAndAskedFor() throws IOException {
        SeriesSpec series = STORES.withKnown(List.of("price"));
        for (int ahead : new int[] {0, 3}) {
            PreparedData data = prepare(withPrices(ahead), series);
            assertThat(data.findings().sentences().get(0)).startsWith("1 series of 20 rows");
            assertThat(data.signature().inputs().get(1).shape()).containsExactly(6, 1);
            try (TrainingData open = TrainingData.open(data, 1, Clock.system())) {
                Batch first = open.validation(0, 1);
                assertThat(Given.floats(first.inputs().get(0))).containsExactly(6, 7, 8, 9);
                assertThat(Given.floats(first.inputs().get(1)))
                        .containsExactly(60, 70, 80, 90, 100, 110);
                assertThat(Given.floats(first.target())).containsExactly(10, 11);
            }
        }
    }

    @Test
    void forecastsShouldNeedWhatIsKnownAhead() throws IOException {
        SeriesSpec series = STORES.withKnown(List.of("price"));
        PreparedData trained = prepare(withPrices(0), series);
        Path brief = withPrices(1);
        assertThatThrownBy(() -> inputs(trained, brief, series))
                .hasMessage(
                        brief
                                + ": the series 'a' says what is known ahead for 1 rows after its"
                                + " last one, fewer than the 2 of the forecast: add rows with a"
                                + " time and price, and leave sold empty");
        try (TrainingData open =
                TrainingData.open(inputs(trained, withPrices(3), series), 1, Clock.system())) {
            Batch last = open.validation(0, 1);
            assertThat(Given.floats(last.inputs().get(0))).containsExactly(17, 18, 19, 20);
            assertThat(Given.floats(last.inputs().get(1)))
                    .containsExactly(170, 180, 190, 200, 210, 220);
        }
    }

    private PreparedData inputs(PreparedData trained, Path file, SeriesSpec series) {
        return Datasets.encodeInputs(
                trained.encoding(),
                Given.files(file).series(series).spec(),
                folder.resolve("cache"),
                PreparationProgress.NONE);
    }

    @Test
    void shouldSayWhichBorderIsNone() throws IOException {
        Path file = stores();
        SeriesSpec series =
                new SeriesSpec(
                        "day",
                        List.of("store"),
                        List.of(),
                        List.of(),
                        4,
                        2,
                        Scaling.NONE,
                        "next week",
                        "0",
                        null);
        assertThatThrownBy(() -> prepare(file, series))
                .hasMessage(
                        "data.series.validation=next week: neither a share of the time below 1 nor"
                                + " a time as 2017-06-26 or 2017-06-26 12:00");
    }
}
