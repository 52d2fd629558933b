package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.provider.ValueSource;

/** Numbers that are texts to us are never so without a word. */
@Tag("unit")
class DressedNumbersTest {
    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "1#'000",
        "1# 000",
        "1#\u00a0000.5",
        "$1#.50",
        "1#.5%",
        "1# %",
        "-$1#",
        "1#€",
        "€1#",
        "€ 1#.000,50",
        "£1#.50",
        "-£1#",
        "\u22121#",
        "1# kg",
        "1#.5k",
        "1# EUR",
        "(1#.50)",
        "1#.5D+02"
    })
    void numbersWithSignsAboutThemShouldBeNamed(String form) throws IOException {
        Path file = table(i -> form.replace("#", "" + i % 10));
        assertThat(Datasets.describe(file).findings())
                .singleElement()
                .asString()
                .startsWith("column 'n' is taken for text: its numbers have signs about them, as ")
                .contains(form.replace("#", "0"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "N/A", "#N/A", "none", "nan", "Infinity"})
    void manyOtherTextsAmongNumbersShouldBeNamed(String text) throws IOException {
        Path file = table(i -> i % 3 == 0 ? text : "" + i);
        assertThat(Datasets.describe(file).findings())
                .singleElement()
                .asString()
                .contains("column 'n' is taken for text: 40 of its 60 values are numbers")
                .contains("others are as \"" + text + "\"", "data.table.missing");
    }

    /** They differ as texts, and are one floating-point number. */
    @Test
    void neighboursBeyondExactNumbersShouldBeNamed() throws IOException {
        Path file = table(i -> i % 2 == 0 ? "9007199254740992" : "9007199254740993");
        assertThat(Datasets.describe(file).findings())
                .anySatisfy(
                        finding ->
                                assertThat(finding)
                                        .startsWith("column 'n': its whole numbers go beyond"));
        Path one = table(i -> "9007199254740992");
        assertThat(Datasets.describe(one).findings())
                .noneSatisfy(finding -> assertThat(finding).contains("go beyond"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "# Jan 2021",
                "Feb #, 2021",
                "#-Mar-21",
                "Monday, # June 2021 10:30",
                "May 202#"
            })
    void datesWithNamesOfMonthsShouldBeNamed(String form) throws IOException {
        Path file = table(i -> '"' + form.replace("#", "" + (1 + i % 9)) + '"');
        assertThat(Datasets.describe(file).findings())
                .singleElement()
                .asString()
                .contains("column 'n' is taken for text: its dates have names of months, as ")
                .contains(form.replace("#", "1"));
    }

    /** A share of a column, its other values words: above it or at it the user is told. */
    @ParameterizedTest
    @CsvSource({
        "May 2021, 48, ''",
        "May 2021, 49, its dates have names of months",
        "May 2021, 1, ''",
        "$5, 48, ''",
        "$5, 49, its numbers have signs about them",
        "$5, 1, ''",
        "2021-01-31, 29, ''",
        "2021-01-31, 30, 30 of its 60 values look like dates",
        "7, 29, ''",
        "7, 30, '30 of its 60 values are numbers, others are as \"word30\"'"
    })
    void fewAmongOthersShouldNotBeNamedAndManyShould(String value, int some, String told)
            throws IOException {
        Path file = table(i -> i < some ? value : "word" + i);
        if (told.isEmpty()) {
            assertThat(Datasets.describe(file).findings()).isEmpty();
        } else {
            assertThat(Datasets.describe(file).findings())
                    .singleElement()
                    .asString()
                    .startsWith("column 'n' is taken for text: " + told);
        }
    }

    @Test
    void numbersOfAllFormsShouldCountTogether() throws IOException {
        Path file = table(i -> new String[] {"\"1,000\"", "$5", "7"}[i % 3]);
        assertThat(Datasets.describe(file).findings())
                .singleElement()
                .asString()
                .startsWith(
                        "column 'n' is taken for text: its numbers have signs about them, as $5");
    }

    @Test
    void numbersWithAMinusOfTypographyAmongThemShouldBeNamed() throws IOException {
        Path file = table(i -> (i % 2 == 0 ? "\u2212" : "") + i);
        assertThat(Datasets.describe(file).findings())
                .singleElement()
                .asString()
                .contains("its numbers have signs about them, as \u22120");
    }

    @Test
    void numbersThatAreDatesShouldBeNamedAndOthersNot() throws IOException {
        Path dates = table(i -> "" + (20210101 + i % 28 + 100 * (i % 12)));
        assertThat(Datasets.describe(dates).findings())
                .singleElement()
                .asString()
                .contains("column 'n': its numbers look like dates, as 20210101");
        Path none = table(i -> "" + (20210101 + i));
        assertThat(Datasets.describe(none).findings()).isEmpty();
    }

    @Test
    void wholeNumbersThatAreNotToldApartShouldBeNamed() throws IOException {
        Path large = table(i -> "90071992547409" + (10 + i));
        assertThat(Datasets.describe(large).findings()).isEmpty();
        Path larger = table(i -> "90071992547409" + (930 + i));
        assertThat(Datasets.describe(larger).findings())
                .singleElement()
                .asString()
                .contains("column 'n': its whole numbers go beyond 9,007,199,254,740,992");
    }

    @Test
    void longerWholeNumbersShouldBeNamedToo() throws IOException {
        String named = "column 'n': its whole numbers go beyond 9,007,199,254,740,992";
        for (String form :
                new String[] {
                    "12345678901234567890#", "-9#3456789012345678", "9#345678901234567890123"
                }) {
            assertThat(Datasets.describe(table(i -> form.replace("#", "" + (10 + i)))).findings())
                    .singleElement()
                    .asString()
                    .contains(named);
        }
        for (String form : new String[] {"#e22", "6.#e23", "#345678901234567890123.0"}) {
            assertThat(Datasets.describe(table(i -> form.replace("#", "" + (10 + i)))).findings())
                    .isEmpty();
        }
    }

    @Test
    void longNumbersWithTypesShouldBeNamedByThem() throws Exception {
        for (String type : new String[] {"DECIMAL(38, 0)", "UBIGINT", "DOUBLE"}) {
            Path file = folder.resolve("t.parquet");
            Files.deleteIfExists(file);
            try (var db = DriverManager.getConnection("jdbc:duckdb:");
                    var sql = db.createStatement()) {
                sql.execute(
                        ("COPY (SELECT (10000000000000000000 + i * 1000000)::%s AS n, i %% 2 AS y"
                                        + " FROM range(60) t(i)) TO '%s'")
                                .formatted(type, file));
            }
            assertThat(Datasets.describe(file).findings())
                    .as(type)
                    .hasSize(type.equals("DOUBLE") ? 0 : 1);
        }
    }

    @Test
    void textsShouldNotBeTakenForNumbersInDisguise() throws IOException {
        for (String form :
                new String[] {
                    "#0-#4 years",
                    "192.168.1.#",
                    "2021-W#",
                    "K#",
                    "#th",
                    "May be #",
                    "Mark #",
                    "Decile #",
                    "#B"
                }) {
            assertThat(Datasets.describe(table(i -> form.replace("#", "" + i))).findings())
                    .isEmpty();
        }
    }

    private Path table(IntFunction<String> value) throws IOException {
        StringBuilder text = new StringBuilder("n,y\n");
        for (int i = 0; i < 60; i++) {
            text.append(value.apply(i)).append(i % 2 == 0 ? ",A\n" : ",B\n");
        }
        return Files.writeString(folder.resolve("t.csv"), text);
    }
}
