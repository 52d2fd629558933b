package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.dataset.PredictionWriter.ColumnType;
import dev.medley.data.encoding.Encoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class PredictionTest {
    @TempDir Path folder;
    private Encoding encoding;

    @BeforeEach
    void fit() throws IOException {
        StringBuilder text = new StringBuilder("id,x,c,flag,y\n");
        for (int i = 0; i < 40; i++) {
            text.append(
                    "%d,%d,%s,%s,%s\n"
                            .formatted(
                                    i,
                                    i % 10,
                                    i % 3 == 0 ? "a" : "b",
                                    i % 4 < 2,
                                    i % 2 == 0 ? "no" : "yes"));
        }
        Path file = Files.writeString(folder.resolve("train.csv"), text);
        SplitSpec all = new SplitSpec(SplitKind.RANDOM, 0, null);
        encoding = cached().trained(Given.files(file).label("y").split(all));
    }

    @Test
    void shouldEncodeNewRowsAsTrainingDidWithOrWithoutTheLabel() throws IOException {
        Path labelled = write("l.csv", "id,x,c,flag,y\n1,3,a,true,yes\n2,4,new,false,no\n");
        Path bare = write("b.csv", "flag,c,x,id\ntrue,a,3,1\nfalse,new,4,2\n");
        PreparedData one = encode(Given.files(labelled));
        PreparedData two = encode(Given.files(bare));
        assertThat(one.findings().targets()).isTrue();
        assertThat(two.findings().targets()).isFalse();
        assertThat(one.trainSamples()).isZero();
        assertThat(one.validationSamples()).isEqualTo(2);
        try (TrainingData first = TrainingData.open(one, 1, Clock.system());
                TrainingData second = TrainingData.open(two, 1, Clock.system())) {
            float[] rows = Given.floats(first.validation(0, 2).inputs().get(0));
            assertThat(Given.floats(second.validation(0, 2).inputs().get(0))).isEqualTo(rows);
            assertThat(Given.floats(first.validation(0, 2).target())).containsExactly(1, 0);
            // id, x, flag, c=a, c=b: an unknown category is none of them.
            assertThat(rows[5 + 3]).isZero();
            assertThat(rows[5 + 4]).isZero();
            assertThat(rows[3]).isEqualTo(1);
        }
    }

    @Test
    void shouldSayWhichColumnNewDataLacks() throws IOException {
        Path file = write("b.csv", "flag,c\ntrue,a\n");
        assertThatThrownBy(() -> encode(Given.files(file)))
                .isInstanceOf(ConfigException.class)
                .hasMessageEndingWith(
                        "has no column 'id', 'x', which the training data had; its columns are:"
                                + " flag, c");
        Path text = write("notes.txt", "no table at all");
        assertThatThrownBy(() -> encode(Given.files(text)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("holds TEXT data, but the model was trained on a table");
    }

    @Test
    void whatAKilledPredictionLeftShouldGoAndWhatALivingOneHasShouldStay() throws Exception {
        Process ended = new ProcessBuilder("java", "-version").start();
        ended.waitFor();
        PreparedData data = encode(Given.files(write("few.csv", "flag,c,x,id\ntrue,a,3,1\n")));
        Path out = folder.resolve("out.csv");
        Path left = folder.resolve(".out.csv.%d-1.tmp".formatted(ended.pid()));
        Files.writeString(Files.createDirectories(left.resolve("duckdb")).resolve("rows.db"), "?");
        try (PredictionWriter one = writer(data, out);
                PredictionWriter two = writer(data, out)) {
            assertThat(left).doesNotExist();
            for (PredictionWriter each : List.of(one, two)) {
                each.add(0.5);
                each.finish();
            }
        }
        assertThat(out).hasContent("flag,c,x,id,score\ntrue,a,3,1,0.5");
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
    }

    private static PredictionWriter writer(PreparedData data, Path out) throws IOException {
        return PredictionWriter.open(data, Map.of("score", ColumnType.NUMBER), out);
    }

    @Test
    void shouldWritePredictionsBesideTheirRows() throws Exception {
        Path input = write("b.csv", "flag,c,x,id\ntrue,a,3,007\nfalse,new,4,2\n");
        PreparedData data = encode(Given.files(input));
        for (String name : new String[] {"out.csv", "out.csv.gz", "out.parquet", "out.jsonl"}) {
            Path out = folder.resolve(name);
            Map<String, ColumnType> columns = new LinkedHashMap<>();
            columns.put("prediction", ColumnType.TEXT);
            columns.put("probability", ColumnType.NUMBER);
            try (PredictionWriter writer = PredictionWriter.open(data, columns, out)) {
                writer.add("good", 0.75);
                writer.add("bad", 0.25);
                assertThat(out).doesNotExist();
                writer.finish();
            }
            try (var db = DriverManager.getConnection("jdbc:duckdb:");
                    var rows = db.createStatement().executeQuery("SELECT * FROM '" + out + "'")) {
                assertThat(rows.getMetaData().getColumnCount()).isEqualTo(6);
                rows.next();
                assertThat(rows.getString("c")).isEqualTo("a");
                assertThat(rows.getString("prediction")).isEqualTo("good");
                assertThat(rows.getDouble("probability")).isEqualTo(0.75);
                rows.next();
                assertThat(rows.getInt("id")).isEqualTo(2);
            }
        }
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
        assertThat(Files.readString(folder.resolve("out.csv")))
                .isEqualTo(
                        """
                        flag,c,x,id,prediction,probability
                        true,a,3,007,good,0.75
                        false,new,4,2,bad,0.25
                        """);
    }

    /** Names of customers with 16 digits are the same beside their predictions. */
    @Test
    void shouldRoundNoWholeNumberOfItsRows() throws IOException {
        String rows = "%s,1.5,a,true\n9107199254740581,2,b,true\n7,3,c,true\n,4,c,true\n";
        Map<String, String> written =
                Map.of(
                        "9223372036854775807", "{\"id\":9223372036854775807,",
                        "92233720368547758071", "{\"id\":\"92233720368547758071\",",
                        "0.5", "{\"id\":\"0.5\",",
                        "1e30", "{\"id\":\"1e30\",");
        for (Map.Entry<String, String> each : written.entrySet()) {
            String text = "id,x,c,flag\n" + rows.formatted(each.getKey());
            PreparedData data = encode(Given.files(write("large.csv", text)));
            Path out = folder.resolve("out.jsonl");
            try (PredictionWriter writer = openForP(data, out)) {
                for (int i = 0; i < 4; i++) {
                    writer.add(0.5);
                }
                writer.finish();
            }
            List<String> lines = Files.readAllLines(out);
            String quote = each.getValue().contains(":\"") ? "\"" : "";
            assertThat(lines.get(0)).startsWith(each.getValue());
            assertThat(lines.get(1)).contains(":" + quote + "9107199254740581" + quote + ",");
            assertThat(lines.get(2)).contains(":" + quote + "7" + quote + ",");
        }
    }

    @Test
    void shouldKeepAColumnOfTheInputThatIsCalledAsThePrediction() throws IOException {
        PreparedData data = encode(Given.files(write("b.csv", "flag,c,x,id,P\ntrue,a,3,1,old\n")));
        Path out = folder.resolve("out.csv");
        try (PredictionWriter writer = openForP(data, out)) {
            writer.add(0.5);
            writer.finish();
        }
        assertThat(out).hasContent("flag,c,x,id,P,p_\ntrue,a,3,1,old,0.5");
    }

    @Test
    void shouldNotReplaceTheDataThatItPredicts() throws IOException {
        Path input = write("b.csv", "flag,c,x,id\ntrue,a,3,1\n");
        PreparedData data = encode(Given.files(input));
        Path sameFile = folder.resolve(".").resolve("b.csv");
        assertThatThrownBy(() -> openForP(data, sameFile))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("b.csv")
                .hasMessageContaining("name another file");
        assertThat(input).hasContent("flag,c,x,id\ntrue,a,3,1");
    }

    @Test
    void shouldLeaveNoFileBehindWhenItIsGivenUp() throws IOException {
        PreparedData data = encode(Given.files(write("b.csv", "flag,c,x,id\ntrue,a,3,1\n")));
        Path out = folder.resolve("out.csv");
        try (PredictionWriter writer = openForP(data, out)) {
            writer.add(1.0);
        }
        assertThat(out).doesNotExist();
        assertThat(folder).isDirectoryNotContaining("glob:**.tmp");
        assertThatThrownBy(() -> openForP(data, folder.resolve("out.xls")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("use .csv, .parquet or .jsonl");
    }

    @Test
    void shouldRefuseToWritePredictionsOfWhichSomeAreLeftOut() throws IOException {
        Path input = write("b.csv", "flag,c,x,id\ntrue,a,oops,1\nfalse,b,4,2\n");
        PreparedData data = encode(Given.files(input).badRows(BadRows.SKIP));
        assertThat(data.findings().badRows()).isEqualTo(1);
        assertThatThrownBy(() -> openForP(data, folder.resolve("out.csv")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("1 samples cannot be read");
    }

    @Test
    void shouldDescribeATable() throws IOException {
        Path file =
                write(
                        "d.csv",
                        """
                        id,when,x,c,y
                        u1,2020-01-01,1.5,a,0
                        u2,2020-03-01,,b,1
                        u3,2021-01-01,3,,1
                        """);
        Description description = Datasets.describe(file);
        assertThat(description.samples()).isEqualTo(3);
        assertThat(description.columns())
                .extracting(Description.Column::type)
                .containsExactly("text", "date", "number", "text", "number");
        assertThat(description.columns().get(2).missing()).isEqualTo(1);
        assertThat(description.toText())
                .contains("2020-01-01")
                .contains("2021-01-01")
                .contains("label: y");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private GivenEncoding cached() {
        return new GivenEncoding(folder.resolve("cache"));
    }

    /** With one more column, of numbers, that is called p. */
    private static PredictionWriter openForP(PreparedData data, Path out) {
        return PredictionWriter.open(data, Map.of("p", ColumnType.NUMBER), out);
    }

    private PreparedData encode(Given given) {
        return cached().encode(encoding, given);
    }
}
