package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Points between thousands are decimal points to us, but not without a word. */
@Tag("unit")
class PointedThousandsTest {
    private final Path folder;
    private final GivenEncoding data;

    PointedThousandsTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @ParameterizedTest
    @CsvSource({
        "950 1.200 12.500, 1.200, 1.2, 1200",
        "0 -1.250 7, -1.250, -1.25, -1250",
        "950 250.000 250.000, 250.000, 250, 250000"
    })
    void pointsThatMayStandBetweenThousandsShouldBeAWarning(
            String values, String first, String read, String meant) throws IOException {
        Path file = table(values.split(" "));
        String warning =
                ("column 'n': its points may stand between thousands: %s is read as %s; if they do,"
                                + " write it without them, as %s, else name the column in"
                                + " data.table.numeric")
                        .formatted(first, read, meant);
        assertThat(data.prepare(Given.files(file).label("y")).findings().warnings())
                .containsExactly(warning);
        assertThat(Datasets.describe(file).findings()).contains(warning);
        assertThat(data.prepare(Given.files(file).label("y").numeric("n")).findings().warnings())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.125 12.500 1.25",
                "950 1.200 12.50",
                "950 1.200 2000",
                "950 1.200 0.125",
                "950 1.200 1e10",
                "1.200 12.500 1.750",
                "950 20 7"
            })
    void otherNumbersShouldNotBe(String values) throws IOException {
        Path file = table(values.split(" "));
        assertThat(data.prepare(Given.files(file).label("y")).findings().warnings()).isEmpty();
        assertThat(Datasets.describe(file).findings()).isEmpty();
    }

    /** More rows than are looked at first. */
    @Test
    void oneNumberAmongMostShouldTell() throws IOException {
        String[] values = new String[3000];
        java.util.Arrays.fill(values, "950");
        values[2500] = "1.200";
        assertThat(Datasets.describe(table(values)).findings()).hasSize(1);
        values[2700] = "1.5";
        assertThat(Datasets.describe(table(values)).findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "950 1.234.567 12.500, 1.234.567",
        "1.234.567 22.345.678 -3.456.789, 1.234.567",
        "'1,25,000 25,000 950', '1,25,000'",
        "'1,25,000 12,50,000.50 950', '1,25,000'"
    })
    void millionsAndLakhsShouldBeNamed(String values, String first) throws IOException {
        assertThat(Datasets.describe(table(values.split(" "))).findings())
                .singleElement()
                .asString()
                .startsWith("column 'n' is taken for text: its numbers have signs about them, as ")
                .contains(first);
    }

    private Path table(String... values) throws IOException {
        StringBuilder text = new StringBuilder("n;x;y\n");
        for (int i = 0; i < Math.max(60, values.length); i++) {
            text.append(values[i % values.length]).append(';').append(i % 7 + 0.5);
            text.append(i % 2 == 0 ? ";A\n" : ";B\n");
        }
        return Files.writeString(folder.resolve("t.csv"), text);
    }
}
