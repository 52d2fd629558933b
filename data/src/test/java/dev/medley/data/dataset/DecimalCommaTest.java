package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CSV files whose numbers have a decimal comma. */
@Tag("unit")
class DecimalCommaTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    @TempDir Path folder;

    @Test
    void shouldReadFeaturesAndLabelWithADecimalComma() throws IOException {
        Path file = csv("a;b;y", "1,5;7;0,5", "-2,5;8;1e1", " 3;9;,25", ";8;12,5");
        TableEncoding encoding = fitted(Given.files(file).label("y").decimal(",").standard());
        assertThat(encoding.featureNames()).containsExactly("a", "a missing", "b");
        assertThat(((Numeric) encoding.columns().get(0)).centre()).isEqualTo(2.0 / 3, offset(1e-9));
        assertThat(encoding.label().classes()).isEmpty();
        assertThat(encoding.label().mean()).isEqualTo(23.25 / 4, offset(1e-9));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '/',
            value = {
                "a;b;y/1,5;2,5;0/3,5;4,5;1/;",
                "1,5;2,5;0/3,5;4,5;1/5,5;6,5;0/column2",
                "a,b,y/\"1,5\",\"2,5\",0/\"3,5\",\"4,5\",1/x"
            })
    void shouldFindDelimiterAndHeaderAllTheSame(String one, String two, String three, String end)
            throws IOException {
        boolean hasHeader = !end.startsWith("column");
        Path file = csv(one, two, three);
        Given given = Given.files(file).label(hasHeader ? "y" : end).decimal(",");
        TableEncoding encoding = fitted(given);
        assertThat(encoding.columns()).hasSize(2).allMatch(Numeric.class::isInstance);
        assertThat(encoding.columns())
                .extracting(ColumnEncoding::name)
                .first()
                .isEqualTo(hasHeader ? "a" : "column0");
        assertThat(encoding.label().classes()).containsExactly("0", "1");
    }

    @Test
    void shouldReadNewRowsAsTrainingDid() throws Exception {
        TableEncoding values =
                fitted(Given.files(csv("a;y", "0,5;0,5", "1,5;1", "2,5;1,5")).label("y"), ",");
        PreparedData data = encode(values, csv("y;a", "1,5;1,5", "0,5;1"));
        try (TrainingData rows = TrainingData.open(data, 1, Clock.system())) {
            Scaling scaling = ((Numeric) values.columns().get(0)).scaling();
            assertThat(Given.floats(rows.validation(0, 2).inputs().get(0)))
                    .containsExactly(new float[] {0, (float) scaling.of(1)}, offset(1e-5f));
            assertThat(Given.floats(rows.validation(0, 2).target())[0]).isPositive();
        }
        TableEncoding classes =
                fitted(Given.files(csv("a;y", "0,5;1,0", "1,5;2,0", "2,5;1")).label("y"), ",");
        assertThat(classes.label().classes()).containsExactly("1", "2,0");
        PreparedData labelled = encode(classes, csv("a;y", "1,5;2,0", "0,5;1"));
        try (TrainingData rows = TrainingData.open(labelled, 1, Clock.system())) {
            assertThat(Given.floats(rows.validation(0, 2).target())).containsExactly(1, 0);
        }
        assertThatThrownBy(() -> encode(classes, csv("a;y", "1,5;2", "0,5;1.000")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the label \"1.000\" is not one of the training classes");
    }

    @Test
    void shouldKeepTheCommaInTheRowsBesidePredictions() throws Exception {
        TableEncoding encoding = fitted(Given.files(csv("a;y", "0,5;u", "1,5;v")).label("y"), ",");
        PreparedData data = encode(encoding, csv("a", "1,5", "2,5"));
        assertThat(written(data, "out.csv", "a")).isEqualTo("1,5");
        assertThat(written(data, "out.parquet", "a")).isEqualTo("1.5");
        assertThat(written(data, "out.csv", "p")).isEqualTo("0.75");
    }

    private String written(PreparedData data, String name, String column) throws Exception {
        Path out = folder.resolve(name);
        try (PredictionWriter writer =
                PredictionWriter.open(data, Map.of("p", PredictionWriter.ColumnType.NUMBER), out)) {
            writer.add(0.75);
            writer.add(0.25);
            writer.finish();
        }
        String from = name.endsWith("csv") ? "read_csv('%s', all_varchar = true)" : "'%s'";
        try (var db = DriverManager.getConnection("jdbc:duckdb:");
                var rows =
                        db.createStatement().executeQuery("SELECT * FROM " + from.formatted(out))) {
            rows.next();
            return rows.getString(column);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.234,5; 2.234,5; 3.234,5; 4.234,5| 1.234,5| 1",
                "1,5;     2,5;     3,5;     1.234  | 1.234  | 4",
                "1.234;   2.345;   3.456;   1,5    | 1.234  | 1"
            })
    void shouldRefuseSeparatedThousandsWithRowAndColumn(String values, String bad, int row)
            throws IOException {
        String[] each = values.strip().split(" *; *");
        String[] lines = new String[5];
        lines[0] = "a;b;y";
        for (int i = 0; i < 4; i++) {
            lines[i + 1] = each[i] + ";" + i + ";" + i % 2;
        }
        Given given = Given.files(csv(lines)).label("y").decimal(",").split(ALL);
        assertThatThrownBy(() -> prepare(given))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("row %d (line %d), column 'a'", row, row + 1)
                .hasMessageContaining("\"%s\" is not a number with a decimal comma", bad.strip())
                .hasMessageContaining("bad_rows: skip");
    }

    @Test
    void shouldRefuseOrSkipSeparatedThousandsInNewRows() throws IOException {
        TableEncoding encoding = fitted(Given.files(csv("a;y", "0,5;u", "1,5;v")).label("y"), ",");
        Path file = csv("a;y", "1,5;u", "1.234,5;v");
        assertThatThrownBy(() -> encode(encoding, file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("(line 3), column 'a': the text \"1.234,5\" is not a number");
        Given skipping = Given.files(file).label("y").decimal(",").badRows(BadRows.SKIP);
        PreparedData data =
                Datasets.encode(encoding, skipping.spec(), cache(), PreparationProgress.NONE);
        assertThat(data.validationSamples()).isEqualTo(1);
        assertThat(data.findings().badRows()).isEqualTo(1);
    }

    @Test
    void shouldSayWhatToSetWhereNumbersHaveTheOtherMark() throws IOException {
        Path comma = csv("a;b;y", "1,5;1;u", "2,5;2;v", "1.234,5;3;u", "1,5;2;v", "2,5;2;v");
        assertThat(prepare(Given.files(comma).label("y").split(ALL)).findings().sentences())
                .contains(
                        "column 'a' is taken for text: its numbers have a decimal comma, as 1,5;"
                                + " set data.table.decimal: \",\"");
        Path point = csv("a;b;y", "1.5;1;u", "2.5;2;v", "1.5;3;u");
        Given given = Given.files(point).label("y").split(ALL);
        assertThat(prepare(given.decimal(",")).findings().sentences())
                .contains(
                        "column 'a' is taken for text: its numbers have a decimal point, as 1.5;"
                                + " write them with a comma, as data.table.decimal says");
    }

    @Test
    void shouldNotFindTheSetThatWasPreparedWithTheOtherMark() throws IOException {
        Given given = Given.files(csv("a;b;y", "1,5;1;u", "2,5;2;v", "1,5;3;u")).label("y");
        PreparedData text = prepare(given.split(ALL));
        PreparedData number = prepare(given.decimal(","));
        assertThat(number.folder()).isNotEqualTo(text.folder());
        assertThat(number.dataHash()).isEqualTo(text.dataHash());
        assertThat(number.encoding()).isNotEqualTo(text.encoding());
    }

    private TableEncoding fitted(Given given, String decimal) {
        return fitted(given.decimal(decimal));
    }

    private TableEncoding fitted(Given given) {
        return (TableEncoding) prepare(given.split(ALL)).encoding();
    }

    private PreparedData encode(TableEncoding encoding, Path file) {
        return Datasets.encode(
                encoding,
                Given.files(file).label("y").decimal(",").spec(),
                cache(),
                PreparationProgress.NONE);
    }

    private PreparedData prepare(Given given) {
        return Datasets.prepare(given.spec(), 1, cache(), PreparationProgress.NONE);
    }

    private Path cache() {
        return folder.resolve("cache");
    }

    private Path csv(String... lines) throws IOException {
        Path file = Files.createTempFile(folder, "t", ".csv");
        return Files.write(file, java.util.List.of(lines));
    }
}
