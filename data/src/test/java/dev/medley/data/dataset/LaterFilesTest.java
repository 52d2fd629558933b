package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.PredictionWriter.ColumnType;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read after training, or in other formats, is read right or with a word. */
@Tag("unit")
class LaterFilesTest {
    private final Path folder;
    private final GivenEncoding data;

    LaterFilesTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void rowsThatAnEvaluationLeavesOutShouldBeAWarning() throws IOException {
        Encoding model = data.trained(Given.files(classes("yes", "no")).label("y"));
        Path other = classes("Yes", "no");
        PreparedData read = data.encode(model, Given.files(other).label("y").badRows(BadRows.SKIP));
        assertThat(read.findings().warnings())
                .singleElement()
                .asString()
                .startsWith(
                        "20 rows left out, since data.table.bad_rows: skip says so; the first: ")
                .contains("Yes");
    }

    @Test
    void pointsWhereTrainingHadCommasBetweenThousandsShouldBeAWarning() throws IOException {
        List<String> lines = new ArrayList<>(List.of("price;y"));
        for (int i = 0; i < 40; i++) {
            lines.add("%d,%03d;%d".formatted(1 + i % 9, 7 * i, i));
        }
        Given given = Given.files(Files.write(folder.resolve("t.csv"), lines)).label("y");
        Encoding model = data.trained(given.task(Task.REGRESSION));
        Path commas = Files.writeString(folder.resolve("c.csv"), "price;y\n5,715;1\n800;2\n");
        assertThat(data.encode(model, Given.files(commas)).findings().warnings()).isEmpty();
        Path points = Files.writeString(folder.resolve("p.csv"), "price;y\n5.715;1\n800;2\n");
        assertThat(data.encode(model, Given.files(points)).findings().warnings())
                .singleElement()
                .asString()
                .contains("column 'price': its points may stand between thousands", "5.715")
                .endsWith("if they do, write it with commas, as training had it, or without");
    }

    private Path classes(String one, String other) throws IOException {
        StringBuilder text = new StringBuilder("x,y\n");
        for (int i = 0; i < 40; i++) {
            text.append(i % 7).append(',').append(i % 2 == 0 ? one : other).append('\n');
        }
        return Files.writeString(folder.resolve(one + ".csv"), text);
    }

    @Test
    void charactersThatAModelDoesNotKnowShouldBeAWarning() throws IOException {
        TextSpec characters = new TextSpec(TextUnit.CHARACTERS, 8, 1, List.of("*"));
        Path plain = Files.writeString(folder.resolve("a.txt"), "abcdefgh ".repeat(50));
        Encoding model = data.trained(Given.files(plain).text(characters));
        Path accents = Files.writeString(folder.resolve("b.txt"), "ab\u00e9d\u00e9fgh ".repeat(10));
        assertThat(data.encode(model, Given.files(accents).text(characters)).findings().warnings())
                .singleElement()
                .asString()
                .startsWith("20 characters are unknown to the model");
        assertThat(data.encode(model, Given.files(plain).text(characters)).findings().warnings())
                .isEmpty();
    }

    @Test
    void rowsThatMoveFromOneFileToTheNextShouldBeAnotherSet() throws IOException {
        Path train = folder.resolve("train.jsonl");
        Path validation = folder.resolve("val.jsonl");
        Files.writeString(train, lines(0, 90));
        Files.writeString(validation, lines(90, 100));
        Given given = Given.files(train).validation(validation).label("y");
        assertThat(data.prepare(given).trainSamples()).isEqualTo(90);
        Files.writeString(train, lines(0, 80));
        Files.writeString(validation, lines(80, 100));
        assertThat(data.prepare(given).trainSamples()).isEqualTo(80);
    }

    private static String lines(int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append("{\"x\":%d,\"y\":\"%s\"}%n".formatted(i % 7, i % 2 == 0 ? "a" : "b"));
        }
        return text.toString();
    }

    @Test
    void jsonOfManyKeysShouldHaveThemAsColumns() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < 20; row++) {
            text.append("{");
            for (int key = 0; key < 250; key++) {
                text.append("\"f").append(key).append("\":").append(row * key % 11).append(",");
            }
            text.append("\"y\":\"").append(row % 2 == 0 ? "a" : "b").append("\"}\n");
        }
        Path file = Files.writeString(folder.resolve("wide.jsonl"), text);
        assertThat(Datasets.describe(file).columns()).hasSize(251);
        TableEncoding read = (TableEncoding) data.prepare(Given.files(file).label("y")).encoding();
        assertThat(read.label().column()).isEqualTo("y");
        assertThat(read.columns()).hasSizeGreaterThan(200);
    }

    @Test
    void valuesThatMeanNoneShouldBeMissingInEveryFormat() throws Exception {
        Path file = folder.resolve("t.parquet");
        try (var db = DriverManager.getConnection("jdbc:duckdb:");
                var sql = db.createStatement()) {
            sql.execute(
                    "COPY (SELECT CASE WHEN i % 5 = 0 THEN 'nan'::DOUBLE ELSE i % 2 END AS y,"
                            + " CASE WHEN i % 4 = 0 THEN 'nan'::DOUBLE ELSE i % 3 END AS c,"
                            + " i %% 7 AS x FROM range(60) t(i)) TO '%s'".formatted(file));
        }
        TableEncoding read =
                (TableEncoding)
                        data.prepare(
                                        Given.files(file)
                                                .label("y")
                                                .task(Task.CLASSIFICATION)
                                                .badRows(BadRows.SKIP))
                                .encoding();
        assertThat(read.label().classes()).containsExactly("0", "1");
    }

    @Test
    void predictionsBesideFilesOfUnlikeTypesShouldKeepTheirValues() throws IOException {
        Encoding model = data.trained(Given.files(classes("yes", "no")).label("y"));
        Path some = Files.createDirectories(folder.resolve("new"));
        Files.writeString(some.resolve("a.jsonl"), "{\"x\":1,\"d\":\"05-03-21\"}\n");
        Files.writeString(
                some.resolve("b.jsonl"), "{\"x\":2.7,\"d\":\"06-03-21\",\"more\":\"m\"}\n");
        PreparedData read = data.encodeInputs(model, Given.files(some).label("y"));
        Path out = folder.resolve("out.csv");
        try (PredictionWriter writer =
                PredictionWriter.open(read, Map.of("p", ColumnType.NUMBER), out)) {
            writer.add(0.25);
            writer.add(0.5);
            writer.finish();
        }
        assertThat(out).hasContent("x,d,more,p\n1.0,05-03-21,,0.25\n2.7,06-03-21,m,0.5");
    }

    @Test
    void aLabelWhoseDigitsAreLostShouldBeNamed() throws IOException {
        StringBuilder text = new StringBuilder("x,y\n");
        for (int i = 0; i < 200; i++) {
            text.append(i % 7).append(',').append(1_700_000_000L + i * 5).append(".5\n");
        }
        Path file = Files.writeString(folder.resolve("late.csv"), text);
        assertThat(data.prepare(Given.files(file).label("y")).findings().warnings())
                .singleElement()
                .asString()
                .contains("label 'y': numbers as large as 1.70000e+09 are kept in steps of 128");
    }

    @Test
    void fewTextsAmongTimesShouldBeErrorsOfTheFile() throws IOException {
        StringBuilder text = new StringBuilder("t,y\n");
        for (int i = 0; i < 60; i++) {
            text.append(i == 30 ? "??" : "%02d:%02d".formatted(i % 24, i))
                    .append(",")
                    .append(i % 2);
            text.append('\n');
        }
        Path file = Files.writeString(folder.resolve("times.csv"), text);
        PreparedData read = data.prepare(Given.files(file).label("y").badRows(BadRows.SKIP));
        assertThat(read.findings().badRows()).isEqualTo(1);
        try (TrainingData training = TrainingData.open(read, 1, Clock.system())) {
            assertThat(training.validationSamples() + read.trainSamples()).isEqualTo(59);
        }
    }
}
