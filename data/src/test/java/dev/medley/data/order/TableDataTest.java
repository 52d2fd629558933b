package dev.medley.data.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.medley.base.Json;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.NumberScaling;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.BatchStream;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Dense;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.CsvReading;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class TableDataTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);
    private static final SplitSpec TAIL = new SplitSpec(SplitKind.TAIL, 0.5, null);

    @TempDir Path folder;

    @Test
    void shouldSayWhatSurprisesAboutNumbers() throws IOException {
        Path file = csv("a;b;y", "1,5;x,1;1200.5", "-2,25;1,5;1500", "1.000,0;z;1800");
        PreparedData data = prepare(Given.files(file).label("y").split(ALL));
        assertThat(data.findings().sentences())
                .anyMatch(s -> s.startsWith("column 'a' is taken for text: its numbers have"))
                .noneMatch(s -> s.startsWith("column 'b' is taken for text"))
                .anyMatch(s -> s.endsWith("learnt as (x - 1500.17) / 244.745"));
    }

    @Test
    void shouldStandardiseNumbersAndSpreadCategoriesByTheTrainingRowsOnly() throws IOException {
        Path file = csv("x,c,y", "1,a,no", "3,b,yes", "5,a,no", "7,b,yes", "100,z,no", "200,,yes");
        PreparedData data =
                prepare(
                        Given.files(file)
                                .label("y")
                                .standard()
                                .split(new SplitSpec(SplitKind.TAIL, 1 / 3.0, null)));
        TableEncoding encoding = (TableEncoding) data.encoding();
        double deviation = Math.sqrt(5);
        // Of few different values each is an edge.
        List<Float> bins = Stream.of(1, 3, 5, 7).map(x -> (float) ((x - 4) / deviation)).toList();
        assertThat(encoding.columns())
                .containsExactly(
                        new Numeric(
                                "x",
                                ColumnEncoding.Source.NUMBER,
                                4,
                                deviation,
                                0,
                                false,
                                false,
                                bins),
                        new Category("c", List.of("a", "b"), false, false));
        assertThat(encoding.label().classes()).containsExactly("no", "yes");
        assertThat(data.signature().target().kind()).isEqualTo(TargetKind.BINARY);
        assertThat(data.signature().inputs().get(0).shape()).containsExactly(3);
        assertThat(data.findings().classCounts()).containsExactly(2L, 2L);
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            Batch batch = training.validation(0, 2);
            float[] rows = Given.floats(batch.inputs().get(0));
            // A value and a gap that training has not seen are all zeros.
            assertThat(rows)
                    .containsExactly(
                            new float[] {
                                (float) (96 / deviation), 0, 0, (float) (196 / deviation), 0, 0
                            },
                            offset(1e-5f));
            assertThat(Given.floats(batch.target())).containsExactly(0, 1);
        }
    }

    @Test
    void shouldScaleNumbersSoThatOneFarAwayDoesNotMatter() throws IOException {
        StringBuilder text = new StringBuilder("x,d,y\n");
        for (int i = 0; i < 101; i++) {
            int x = i * 37 % 101;
            text.append("%d,2024-01-%02d,%s\n".formatted(x, 31 - (100 - x) % 31, i % 2));
        }
        Path file = folder.resolve("t.csv");
        Files.writeString(file, text);
        Given given = Given.files(file).label("y").split(ALL).numeric("x");
        PreparedData near = prepare(given);
        Files.writeString(
                file, text.toString().replace("\n100,2024-01-31", "\n693375640,9999-12-31"));
        PreparedData far = prepare(given);
        List<Dense> columns = ((TableEncoding) far.encoding()).dense();
        assertThat(columns.get(0).scaling()).isEqualTo(new Scaling(50, 50, 3));
        assertThat(columns)
                .map(Dense::scaling)
                .isEqualTo(
                        ((TableEncoding) near.encoding())
                                .dense().stream().map(Dense::scaling).toList());
        assertThat(columns).allMatch(column -> column.bins().size() > 30);
        assertThat(trainRows(far, 101)).hasSize(606);
        for (float value : trainRows(far, 101)) {
            assertThat(value).isBetween(-3f, 3f);
        }
        PreparedData plain = prepare(given.scaling(NumberScaling.NONE));
        assertThat(trainRows(plain, 101)[6 * 30]).isEqualTo(693_375_640f);
        assertThat(trainRows(plain, 101)[1]).isBetween(19_723f, 19_753f);
    }

    @Test
    void shouldMarkMissingNumbersAndGiveMissingTextsACategory() throws IOException {
        Path file = csv("x,c,y", "1,a,0", ",b,1", "3,?,0", "NA,a,1", "5,b,0", "7,a,1");
        PreparedData data = prepare(Given.files(file).label("y").split(ALL));
        TableEncoding encoding = (TableEncoding) data.encoding();
        assertThat(encoding.featureNames())
                .containsExactly("x", "x missing", "c=a", "c=b", "c missing");
        float[] rows = trainRows(data, 6);
        assertThat(row(rows, 5, 1)).containsExactly(0, 1, 0, 1, 0);
        assertThat(row(rows, 5, 2)[4]).isEqualTo(1);
        assertThat(row(rows, 5, 2)[1]).isZero();
    }

    @Test
    void shouldEmbedCategoriesAboveTheLimit() throws IOException {
        Path file = csv("c,x,y", "a,1,0", "b,2,1", "c,3,0", "a,4,1", "b,5,0", "d,6,1");
        TableSpec table =
                new TableSpec(null, null, ".", List.of(""), List.of(), List.of(), 2, BadRows.FAIL);
        PreparedData data = prepare(Given.files(file).label("y").table(table).split(TAIL));
        assertThat(data.signature().inputs()).hasSize(2);
        assertThat(data.signature().inputs().get(1).cardinalities()).containsExactly(4);
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            Batch batch = training.validation(0, 3);
            assertThat(Given.longs(batch.inputs().get(1))).containsExactly(0, 1, 3);
        }
    }

    @Test
    void shouldTurnDatesIntoNumbers() throws IOException {
        Path file =
                csv(
                        "d,t,y",
                        "2020-01-01,2020-01-01 00:00:00,1.5",
                        "2020-07-01,2020-01-02 06:00:00,2.5",
                        "2021-01-01,2020-01-03 12:00:00,3.5");
        PreparedData data = prepare(Given.files(file).label("y").split(ALL).standard());
        TableEncoding encoding = (TableEncoding) data.encoding();
        assertThat(data.signature().target().kind()).isEqualTo(TargetKind.VALUE);
        assertThat(encoding.featureCount()).isEqualTo(5 + 7);
        float[] rows = trainRows(data, 3);
        // New Year's Day of 2020 was a Wednesday: two days after Monday.
        assertThat(row(rows, 12, 0)[1]).isEqualTo(0, offset(1e-6f));
        assertThat(row(rows, 12, 0)[2]).isEqualTo(1, offset(1e-6f));
        assertThat(row(rows, 12, 0)[3])
                .isEqualTo((float) Math.sin(2 * Math.PI * 2 / 7), offset(1e-6f));
        // 06:00 is a quarter of a day.
        assertThat(row(rows, 12, 1)[10]).isEqualTo(1, offset(1e-6f));
        assertThat(row(rows, 12, 0)[0] + row(rows, 12, 1)[0] + row(rows, 12, 2)[0])
                .isEqualTo(0, offset(1e-5f));
    }

    @Test
    void shouldLeaveOutConstantsAndIdentifiers() throws IOException {
        StringBuilder text = new StringBuilder("id,same,empty,x,y\n");
        for (int i = 0; i < 300; i++) {
            text.append("id-%d,k,,%d,%s\n".formatted(i, i % 7, i % 2 == 0 ? "a" : "b"));
        }
        Path file = Files.writeString(folder.resolve("t.csv"), text);
        PreparedData data = prepare(Given.files(file).label("y"));
        TableEncoding encoding = (TableEncoding) data.encoding();
        assertThat(encoding.columns()).extracting(ColumnEncoding::name).containsExactly("x");
        assertThat(data.findings().sentences())
                .anyMatch(s -> s.contains("'id' is left out") && s.contains("identifier"))
                .anyMatch(s -> s.contains("'same' is left out"))
                .anyMatch(s -> s.contains("'empty' is left out"));
        assertThat(Json.parse(Json.line(data), PreparedData.class)).isEqualTo(data);
    }

    @ParameterizedTest
    @CsvSource({
        "300, 300, true",
        "2000, 101, true",
        "2000, 100, false",
        "90, 11, true",
        "120, 11, false",
        "20, 10, false"
    })
    void shouldSayThatALabelHasTooManyClassesToLearn(int rows, int classes, boolean isSaid)
            throws IOException {
        StringBuilder text = new StringBuilder("x,y\n");
        for (int i = 0; i < rows; i++) {
            text.append("%d,name %d\n".formatted(i % 7, i % classes));
        }
        Path file = Files.writeString(folder.resolve("t.csv"), text);
        PreparedData data = prepare(Given.files(file).label("y").split(ALL));
        String sentence =
                "label 'y' has %d classes in %,d training rows: a column like an identifier cannot"
                        + " be learnt; is another one meant?";
        assertThat(data.findings().sentences().contains(sentence.formatted(classes, rows)))
                .isEqualTo(isSaid);
    }

    @Test
    void shouldReadFilesWithoutHeaderByColumnNumber() throws IOException {
        Path file = csv("1;2,5;a", "3;4,5;b", "5;6,5;a", "7;8,5;b");
        PreparedData data = prepare(Given.files(file).label("column2").split(ALL));
        assertThat(data.trainSamples()).isEqualTo(4);
        assertThat(((TableEncoding) data.encoding()).label().classes()).containsExactly("a", "b");
    }

    @Test
    void shouldReadBooleansAndQuotedText() throws IOException {
        Path file =
                csv(
                        "\"flag\",\"name\",y",
                        "true,\"a, \"\"b\"\"\",1",
                        "false,c,2",
                        "true,c,3",
                        "false,\"a, \"\"b\"\"\",1");
        PreparedData data = prepare(Given.files(file).label("y").split(ALL));
        TableEncoding encoding = (TableEncoding) data.encoding();
        assertThat(encoding.featureNames()).containsExactly("flag", "name=a, \"b\"", "name=c");
        assertThat(encoding.label().classes()).containsExactly("1", "2", "3");
        assertThat(row(trainRows(data, 4), 3, 0)).containsExactly(1, 1, 0);
    }

    @Test
    void shouldReadTheSameFromCsvParquetAndJson() throws Exception {
        Path csv = folder.resolve("t.csv");
        Path parquet = folder.resolve("t.parquet");
        Path json = folder.resolve("t.jsonl");
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:");
                var sql = db.createStatement()) {
            sql.execute(
                    "CREATE TABLE t AS SELECT range AS i, range * 0.5::DOUBLE AS f,"
                            + " 'c' || range % 3 AS c, date '2020-01-01' + range::INTEGER AS d,"
                            + " CASE WHEN range % 5 = 0 THEN NULL ELSE range % 7 END AS m,"
                            + " range % 2 = 0 AS b, range % 4 AS y FROM range(5000)");
            sql.execute("COPY t TO '%s' (HEADER)".formatted(csv));
            sql.execute("COPY t TO '%s'".formatted(parquet));
            sql.execute("COPY t TO '%s' (FORMAT json)".formatted(json));
        }
        SplitSpec fifth = new SplitSpec(SplitKind.STRATIFIED, 0.2, "c");
        PreparedData one = prepare(Given.files(csv).label("y").split(fifth));
        PreparedData two = prepare(Given.files(parquet).label("y").split(fifth));
        PreparedData three = prepare(Given.files(json).label("y").split(fifth));
        assertThat(one.format()).isEqualTo(DataFormat.CSV);
        TableEncoding csvs = (TableEncoding) one.encoding();
        assertThat(csvs.csv()).isEqualTo(new CsvReading(",", true, ".", 0));
        TableEncoding untexted =
                new TableEncoding(csvs.columns(), csvs.label(), csvs.missing(), null);
        assertThat(two.encoding()).isEqualTo(untexted);
        assertThat(three.encoding()).isEqualTo(untexted);
        int count = (int) one.trainSamples();
        assertThat(count).isBetween(3999, 4001);
        float[] rows = trainRows(one, count);
        assertThat(trainRows(two, count)).isEqualTo(rows);
        assertThat(trainRows(three, count)).isEqualTo(rows);
    }

    @Test
    void shouldKeepTheOrderOfTheFiles() throws IOException {
        StringBuilder text = new StringBuilder("x,y\n");
        for (int i = 0; i < 300_000; i++) {
            text.append(i).append(',').append(i + 0.5).append('\n');
        }
        Path file = Files.writeString(folder.resolve("t.csv"), text);
        PreparedData data =
                prepare(
                        Given.files(file)
                                .label("y")
                                .split(new SplitSpec(SplitKind.TAIL, 0.9, null)));
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            float[] targets = Given.floats(training.validation(0, 270_000).target());
            for (int i = 0; i < targets.length; i++) {
                assertThat(targets[i]).isEqualTo(30_000 + i + 0.5f);
            }
        }
    }

    @Test
    @Tag("real")
    void shouldPrepareAdultWithItsGivenSplit() {
        PreparedData data =
                prepare(
                        Given.files(Given.shared("uci-adult/adult.data.gz"))
                                .validation(Given.shared("uci-adult/adult.test.gz"))
                                .label("income"));
        TableEncoding encoding = (TableEncoding) data.encoding();
        assertThat(data.trainSamples()).isEqualTo(32_561);
        assertThat(data.validationSamples()).isEqualTo(16_281);
        assertThat(data.findings().classCounts()).containsExactly(24_720L, 7_841L);
        assertThat(encoding.label().classes()).containsExactly("<=50K", ">50K");
        assertThat(encoding.dense()).hasSize(6);
        assertThat(encoding.oneHot()).hasSize(8);
        // The peer counts '?' as a category of three columns: 102 one-hot values, 6 numbers.
        assertThat(encoding.featureCount()).isEqualTo(108);
        float positives = 0;
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            for (float target : Given.floats(training.validation(0, 16_281).target())) {
                positives += target;
            }
        }
        assertThat(positives).isEqualTo(3_846);
    }

    @Test
    @Tag("real")
    void shouldPrepareTelcoChurn() {
        PreparedData data =
                prepare(
                        Given.files(Given.shared("telco-churn/Telco-Customer-Churn.csv.gz"))
                                .label("Churn")
                                .split(new SplitSpec(SplitKind.STRATIFIED, 0.2, null)));
        assertThat(data.trainSamples() + data.validationSamples()).isEqualTo(7_043);
        assertThat(data.findings().classCounts().get(1)).isEqualTo(1_495);
        assertThat(data.findings().sentences())
                .anyMatch(s -> s.contains("'customerID' is left out"));
    }

    private float[] trainRows(PreparedData data, int count) {
        try (TrainingData training = TrainingData.open(data, 1, Clock.system());
                BatchStream stream = training.train(s -> new SampleRange(0, 0, count), 1, 1)) {
            float[] mixed = Given.floats(stream.next().inputs().get(0));
            int width = mixed.length / count;
            float[] rows = new float[mixed.length];
            SampleOrder order = new SampleOrder(data.train().layout(), 1, 0);
            for (int i = 0; i < count; i++) {
                System.arraycopy(mixed, i * width, rows, (int) order.sampleAt(i) * width, width);
            }
            return rows;
        }
    }

    private static float[] row(float[] rows, int width, int row) {
        return Arrays.copyOfRange(rows, row * width, (row + 1) * width);
    }

    private Path csv(String... lines) throws IOException {
        return Files.writeString(folder.resolve("t.csv"), String.join("\n", lines) + "\n");
    }

    private PreparedData prepare(Given given) {
        return Datasets.prepare(given.spec(), 1, folder.resolve("cache"), PreparationProgress.NONE);
    }
}
