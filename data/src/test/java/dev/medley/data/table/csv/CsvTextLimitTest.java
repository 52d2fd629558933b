package dev.medley.data.table.csv;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A record without an end is not taken into memory. */
@Tag("unit")
class CsvTextLimitTest {
    private static final int LONGEST_LINE_BYTES = 2_000_000;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"x", "x,y\n"})
    void aRecordWithoutAnEndShouldBeLookedAtUpToABound(String part) throws IOException {
        Path file = folder.resolve("t.csv");
        Files.writeString(file, "a,b\n\"" + part.repeat(4_000_000));
        assertThat(CsvText.plain(file).first(50))
                .allMatch(line -> line.text().length() <= LONGEST_LINE_BYTES)
                .hasSizeLessThanOrEqualTo(2);
    }
}
