package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Codes as 12_3 and 1_23 are texts, though the engine takes both for 123. */
@Tag("unit")
class UnderscoredCodesTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    private final Path folder;
    private final GivenEncoding data;

    UnderscoredCodesTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void theEngineShouldStillTakeThemForNumbers() throws Exception {
        try (var db = DriverManager.getConnection("jdbc:duckdb:");
                var sql = db.createStatement();
                var found = sql.executeQuery("SELECT TRY_CAST('12_3' AS DOUBLE)")) {
            found.next();
            assertThat(found.getDouble(1)).as("else the rule is needed no more").isEqualTo(123);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ","})
    void codesShouldBeCategoriesAndClasses(String decimal) throws IOException {
        Path file = table("t.csv", "12_3", "1_23");
        Given given = Given.files(file).label("y").decimal(decimal).split(ALL);
        TableEncoding read = (TableEncoding) data.prepare(given).encoding();
        assertThat(read.columns().get(0)).isInstanceOf(Category.class);
        assertThat(((Category) read.columns().get(0)).values()).containsExactly("12_3", "1_23");
        assertThat(read.columns().get(1)).isInstanceOf(Numeric.class);
        assertThat(read.label().classes()).containsExactly("1_1", "1_2", "2_1");
    }

    /** What a description calls a class is what training calls it. */
    @Test
    void classesShouldBeShownAsTheyStand() throws IOException {
        for (String[] codes :
                new String[][] {{"01", "02"}, {"10000000001", "10000000002"}, {"1.0", "1.5"}}) {
            String rows = "n,y\n" + ("1,%s\n2,%s\n3,%s\n".formatted(codes[0], codes[1], codes[1]));
            Path file = Files.writeString(folder.resolve("c.csv"), rows);
            TableEncoding read =
                    (TableEncoding)
                            data.prepare(
                                            Given.files(file)
                                                    .label("y")
                                                    .task(Task.CLASSIFICATION)
                                                    .split(ALL))
                                    .encoding();
            assertThat(read.label().classes()).containsExactly(codes);
            assertThat(Datasets.describe(file).suggestions())
                    .contains(
                            "to predict 'y' (2 classes: %s 2, %s 1) write  label: y"
                                    .formatted(codes[1], codes[0]));
        }
    }

    @Test
    void aCodeAmongNumbersShouldBeAnError() throws IOException {
        Encoding model = data.trained(Given.files(table("t.csv", "7", "8")).label("y").split(ALL));
        Path codes = table("n.csv", "7", "1_2");
        assertThatThrownBy(() -> data.encodeInputs(model, Given.files(codes)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'zone': the text \"1_2\" is not a number");
        Encoding thousands =
                data.trained(Given.files(table("q.csv", "1,200", "800")).label("y").split(ALL));
        assertThatThrownBy(() -> data.encodeInputs(thousands, Given.files(codes)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'zone': the text \"1_2\" is not a number");
    }

    private Path table(String name, String one, String other) throws IOException {
        StringBuilder text = new StringBuilder("zone;x;y\n");
        for (int i = 0; i < 60; i++) {
            text.append(i % 2 == 0 ? one : other).append(';').append(i % 7).append(';');
            text.append(i % 3 == 0 ? "1_1" : i % 3 == 1 ? "1_2" : "2_1").append('\n');
        }
        return Files.writeString(folder.resolve(name), text);
    }
}
