package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.data.encoding.Encoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A list or an object where a value is needed is the user's error, with file and column. */
@Tag("unit")
class NestedColumnsTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    private final Path folder;
    private final GivenEncoding data;

    NestedColumnsTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {"x {\"a\":1}", "x [1,2]", "c {\"a\":\"u\"}", "y {\"a\":1}", "w [1]"})
    void aLaterFileThatHoldsThemShouldBeRefused(String column, String value) throws IOException {
        Path train = rows("t.jsonl", "", "");
        Given given = Given.files(train).label("y").weight("w").split(ALL);
        Encoding model = data.trained(given);
        Path nested = rows("n.jsonl", column, value);
        assertThatThrownBy(() -> data.encode(model, Given.files(nested)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message(nested, column));
        assertThatThrownBy(() -> data.encode(model, Given.files(train, nested)))
                .hasMessage(message(nested, column));
        assertThatThrownBy(() -> data.prepare(given.validation(nested)))
                .hasMessage(message(nested, column));
    }

    @Test
    void whatAPredictionDoesNotReadShouldNotMatter() throws IOException {
        Encoding model =
                data.trained(
                        Given.files(rows("t.jsonl", "", "")).label("y").weight("w").split(ALL));
        for (String column : new String[] {"y", "w"}) {
            Path nested = rows(column + ".jsonl", column, "{\"a\":1}");
            assertThat(data.encodeInputs(model, Given.files(nested)).validationSamples())
                    .isEqualTo(40);
        }
    }

    @Test
    void aListOfParquetShouldBeRefused() throws Exception {
        Path train = parquet("t.parquet", "i % 7");
        Path nested = parquet("n.parquet", "[i, i]");
        Encoding model = data.trained(Given.files(train).label("y").split(ALL));
        assertThatThrownBy(() -> data.encodeInputs(model, Given.files(nested)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message(nested, "x"));
        data.assertRefused(model, Given.files(nested).label("y"), message(nested, "x"));
    }

    @ParameterizedTest
    @CsvSource({"y", "w"})
    void aLabelOrAWeightOfThemShouldBeRefused(String column) throws IOException {
        Path nested = rows("t.jsonl", column, "[1]");
        assertThatThrownBy(() -> data.prepare(Given.files(nested).label("y").weight("w")))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message(nested, column));
    }

    private static String message(Path file, String column) {
        return file
                + ": column '"
                + column
                + "' holds lists, structures or bytes, where values are needed";
    }

    private Path parquet(String name, String x) throws Exception {
        Path file = folder.resolve(name);
        try (var db = DriverManager.getConnection("jdbc:duckdb:");
                var sql = db.createStatement()) {
            sql.execute(
                    "COPY (SELECT %s AS x, i %% 5 AS z, i %% 2 AS y FROM range(40) t(i)) TO '%s'"
                            .formatted(x, file));
        }
        return file;
    }

    /**
     * Rows of which those that leave a remainder of 1 by 3 hold {@code value} in {@code nested}.
     */
    private Path rows(String name, String nested, String value) throws IOException {
        IntFunction<String> row =
                i ->
                        "{"
                                + field("x", "" + i % 7, i, nested, value)
                                + ","
                                + field("c", i % 2 == 0 ? "\"u\"" : "\"v\"", i, nested, value)
                                + ","
                                + field("w", "" + (1 + i % 2), i, nested, value)
                                + ","
                                + field("y", i % 3 == 0 ? "\"a\"" : "\"b\"", i, nested, value)
                                + "}\n";
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            text.append(row.apply(i));
        }
        return Files.writeString(folder.resolve(name), text);
    }

    private static String field(String name, String plain, int row, String nested, String value) {
        boolean isNested = name.equals(nested) && row % 3 == 1;
        return "\"" + name + "\":" + (isNested ? value : plain);
    }
}
