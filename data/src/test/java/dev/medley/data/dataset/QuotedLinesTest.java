package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of several lines, in files that the engine reads in parts. */
@Tag("unit")
class QuotedLinesTest {
    private static final int BYTES = 40 << 20;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(ints = {40, 4000})
    void linesWithinAValueShouldNotBeRows(int lines) throws IOException {
        StringBuilder text = new StringBuilder("text,label\n");
        int rows = 0;
        while (text.length() < BYTES) {
            text.append("\"first\n");
            for (int i = 0; i < lines; i++) {
                text.append("row ").append(rows).append(" says,no\n");
            }
            text.append("last\",").append(rows % 2 == 0 ? "a\n" : "b\n");
            rows++;
        }
        Path file = Files.writeString(folder.resolve("t.csv"), text);
        var found = Datasets.describe(file);
        assertThat(found.samples()).isEqualTo(rows);
        assertThat(found.columns().get(1).different()).isEqualTo(2);
    }
}
