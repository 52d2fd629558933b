package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.data.shard.PreparationProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file is the one that its path names, whatever the path looks like to the engine. */
@Tag("unit")
class FilePathsTest {
    private static final int ROWS = 20;

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "sales[1], sales1",
        "a/b[12]/t, a/b1/t",
        "what?, whats",
        "all*, alls",
        "c\\1, c1",
        "**, all"
    })
    void aPatternInTheNameShouldNotReadAnotherFile(String name, String other) throws Exception {
        for (String ending : new String[] {".csv", ".parquet", ".jsonl"}) {
            Path near = write(folder.resolve(other + ending), "w");
            Path file = write(folder.resolve(name + ending), "v");
            assertThat(Datasets.describe(file).columns().get(0).name()).isEqualTo("v");
            assertThat(Datasets.describe(near).columns().get(0).name()).isEqualTo("w");
            var prepared =
                    Datasets.prepare(
                            Given.files(file).label("y").spec(),
                            1,
                            folder.resolve("cache"),
                            PreparationProgress.NONE);
            assertThat(prepared.trainSamples() + prepared.validationSamples()).isEqualTo(ROWS);
        }
    }

    @Test
    void aFolderNamedKeyAndValueShouldNotOverwriteAColumn() throws Exception {
        for (String ending : new String[] {".csv", ".parquet", ".jsonl"}) {
            Path file = write(folder.resolve("x=7/c0=5/t" + ending), "x");
            assertThat(Datasets.describe(file).columns().stream().map(c -> c.name()))
                    .as(ending)
                    .containsExactly("x", "y");
            assertThat(Datasets.describe(file).columns().get(0).different())
                    .as(ending)
                    .isEqualTo(ROWS);
        }
    }

    @Test
    void aPathThatTheEngineCannotBeToldShouldBeRefused() throws Exception {
        Path file = write(folder.resolve("c\\[1].csv"), "v");
        assertThatThrownBy(() -> Datasets.describe(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(file.toString(), "a backslash", "rename");
    }

    private static Path write(Path file, String column) throws IOException, SQLException {
        Files.createDirectories(file.getParent());
        Path plain = Files.createTempFile("rows", file.toString().replaceFirst(".*\\.", "."));
        try (var db = DriverManager.getConnection("jdbc:duckdb:");
                var sql = db.createStatement()) {
            sql.execute(
                    "COPY (SELECT range %s, range %% 2 y FROM range(%d)) TO '%s'"
                            .formatted(column, ROWS, plain));
        }
        return Files.move(plain, file);
    }
}
