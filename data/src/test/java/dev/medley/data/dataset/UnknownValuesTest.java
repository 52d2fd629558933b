package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.shard.Ingested;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values that training has not seen are told of by file and by count. */
@Tag("unit")
class UnknownValuesTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    private final Path folder;
    private final GivenEncoding data;

    UnknownValuesTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void aFileOfAListShouldNotBeDilutedByTheOthers() throws IOException {
        Encoding model = model();
        Path known = table("1.csv", 3000, i -> row(i, "u"));
        Path one = table("2.csv", 90, i -> row(i, "W"));
        Path two = table("3.csv", 50, i -> i % 7 + ",,");
        Path three = table("4.csv", 40, i -> row(i, "V"));
        Ingested.Findings found =
                data.encodeInputs(model, Given.files(known, one, two, three)).findings();
        assertThat(found.warnings())
                .containsExactly(
                        one
                                + ": column 'c': 90 of 90 values are unknown to the model, which"
                                + " training has not seen; are they written otherwise? (likewise in"
                                + " 1 more file)",
                        two
                                + ": column 'c': 50 of 50 rows have no value, and training had one"
                                + " in every row");
        assertThat(found.sentences()).noneMatch(s -> s.startsWith("values that"));
    }

    @Test
    void fewRowsWithoutAValueShouldBeNoWarning() throws IOException {
        Path file = table("few.csv", 40, i -> i < 15 ? i % 7 + ",," : row(i, "u"));
        Path numbers = table("numbers.csv", 40, i -> i < 25 ? ",u,a" : row(i, "u"));
        Encoding model = model();
        assertThat(data.encodeInputs(model, Given.files(file)).findings().warnings()).isEmpty();
        assertThat(data.encodeInputs(model, Given.files(numbers)).findings().warnings())
                .singleElement()
                .asString()
                .contains("column 'x': 25 of 40 rows have no value");
        Path half = table("half.csv", 40, i -> i < 20 ? ",u,a" : row(i, "W"));
        assertThat(data.encodeInputs(model, Given.files(half)).findings().warnings()).isEmpty();
        Path more = table("more.csv", 40, i -> i < 21 ? ",W,a" : row(i, "u"));
        assertThat(data.encodeInputs(model, Given.files(more)).findings().warnings()).hasSize(2);
    }

    /** Rows that are left out of one file are not those of the next. */
    @Test
    void rowsThatAreLeftOutShouldNotMoveTheOthersToAnotherFile() throws IOException {
        Encoding model = model();
        Path known = table("1.csv", 60, i -> i < 30 ? "oops,u,a" : row(i, "u"));
        Path one = table("2.csv", 40, i -> i < 4 ? "oops,W,a" : row(i, "W"));
        Path two = table("3.csv", 40, i -> row(i, "v"));
        Given given = Given.files(known, one, two).badRows(BadRows.SKIP);
        for (PreparedData read :
                List.of(data.encodeInputs(model, given), data.encode(model, given))) {
            assertThat(read.findings().warnings())
                    .filteredOn(s -> s.contains("unknown"))
                    .singleElement()
                    .asString()
                    .startsWith(one + ": column 'c': 36 of 36 values are unknown to the model");
        }
    }

    @ParameterizedTest
    @CsvSource({"20, 1000, true", "10, 900, true", "9, 100, false", "10, 1000, false"})
    void someShouldBeASentenceWithCounts(int unknown, int rows, boolean isSaid) throws IOException {
        Encoding model = model();
        Path file = table("n.csv", rows, i -> row(i, i < unknown ? "W" : "u"));
        Ingested.Findings found = data.encode(model, Given.files(file)).findings();
        assertThat(found.warnings()).isEmpty();
        String said =
                "values that the training of the model has not seen: c (%d of %s)"
                        .formatted(unknown, rows == 1000 ? "1,000" : rows);
        assertThat(found.sentences().contains(said)).isEqualTo(isSaid);
        assertThat(found.sentences().stream().anyMatch(s -> s.startsWith("values that")))
                .isEqualTo(isSaid);
        Given given = Given.files(table("t.csv", 60, i -> row(i, i % 2 == 0 ? "u" : "v")));
        assertThat(
                        data.prepare(given.validation(file).label("y"))
                                .findings()
                                .sentences()
                                .contains(said))
                .isEqualTo(isSaid);
    }

    private Encoding model() throws IOException {
        Path train = table("train.csv", 60, i -> row(i, i % 2 == 0 ? "u" : "v"));
        return data.trained(Given.files(train).label("y").split(ALL));
    }

    private static String row(int i, String category) {
        return i % 7 + "," + category + "," + (i % 3 == 0 ? "a" : "b");
    }

    private Path table(String name, int rows, IntFunction<String> row) throws IOException {
        StringBuilder text = new StringBuilder("x,c,y\n");
        for (int i = 0; i < rows; i++) {
            text.append(row.apply(i)).append('\n');
        }
        return Files.writeString(folder.resolve(name), text);
    }
}
