package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.data.encoding.Encoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is judged by files whose label has no values. */
@Tag("unit")
class ValidationLabelsTest {
    private static final String WITHOUT =
            ": column 'y' has no value in any row: to validate, the label is needed";

    private final Path folder;
    private final GivenEncoding data;

    ValidationLabelsTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @ParameterizedTest
    @EnumSource(BadRows.class)
    void aValidationFileWithoutClassesShouldBeRefused(BadRows policy) throws IOException {
        Path bare = table("bare.csv", "", "");
        assertRefused(Given.files(table("t.csv", "a", "b")).validation(bare).badRows(policy), bare);
    }

    @Test
    void aValidationFileWithoutValuesShouldBeRefused() throws IOException {
        Path bare = table("bare.csv", "", "");
        assertRefused(Given.files(table("t.csv", "0.5", "1.25")).validation(bare), bare);
    }

    @Test
    void aValidationFileOfNullsShouldBeRefused() throws Exception {
        Path train = folder.resolve("t.parquet");
        Path bare = folder.resolve("bare.parquet");
        try (var db = DriverManager.getConnection("jdbc:duckdb:");
                var sql = db.createStatement()) {
            String rows = "COPY (SELECT %s AS y, i %% 7 AS x FROM range(40) t(i)) TO '%s'";
            sql.execute(rows.formatted("i % 2", train));
            sql.execute(rows.formatted("NULL::BIGINT", bare));
        }
        assertRefused(Given.files(train).validation(bare), bare);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".25"})
    void aModelThatGoesOnLearningShouldRefuseItToo(String decimals) throws IOException {
        Path train = table("t.csv", "0" + decimals, "1" + decimals);
        Path bare = table("bare.csv", "", "");
        Encoding model = data.trained(Given.files(train).label("y"));
        Given given = Given.files(train).validation(bare).label("y");
        data.assertRefused(model, given, bare + WITHOUT);
        PreparedData again = data.prepareAs(model, given.validation(table("v.csv", "0", "1")));
        assertThat(again.validationSamples()).isEqualTo(40);
    }

    private void assertRefused(Given given, Path bare) {
        assertThatThrownBy(() -> data.prepare(given.label("y")))
                .isInstanceOf(ConfigException.class)
                .hasMessage(bare + WITHOUT);
    }

    private Path table(String name, String one, String other) throws IOException {
        StringBuilder text = new StringBuilder("x,y\n");
        for (int i = 0; i < 40; i++) {
            text.append(i % 7).append(',').append(i % 2 == 0 ? one : other).append('\n');
        }
        return Files.writeString(folder.resolve(name), text);
    }
}
