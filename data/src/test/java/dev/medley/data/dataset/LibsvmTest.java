package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.table.TermSpec;
import dev.medley.data.encoding.SparseColumn.Pairs;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** LIBSVM files are tables of a label and of pairs of index and value. */
@Tag("unit")
class LibsvmTest {
    private static final SplitSpec TAIL = new SplitSpec(SplitKind.TAIL, 0.5, null);

    private final Path folder;
    private final GivenEncoding data;

    LibsvmTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void indicesFromOneShouldBeFoundAndRowsBeSpreadForOthers() throws IOException {
        PreparedData found =
                data.prepare(
                        Given.files(
                                        file(
                                                "a.svm",
                                                "# title",
                                                "+1 1:0.5 3:2",
                                                "",
                                                "-1 # none",
                                                "+1 3:1e1 2:-.5\r",
                                                "-1 1:7."))
                                .split(TAIL));
        TableEncoding encoding = (TableEncoding) found.encoding();
        assertThat(found.format()).isEqualTo(DataFormat.LIBSVM);
        assertThat(encoding.columns()).containsExactly(new Pairs("features", 3, 1, 2));
        assertThat(encoding.label().classes()).containsExactly("-1", "+1");
        assertThat(encoding.featureNames()).containsExactly("1", "2", "3");
        assertThat(GivenEncoding.held(found)).containsExactly(0, -0.5f, 10, 7, 0, 0);
        assertThat(found.findings().sentences())
                .contains("3 features by index, from 1 on, at most 2 in a row");
    }

    @Test
    void indicesFromZeroShouldBeFoundAndUnseenOnesPassedOver() throws IOException {
        Given given =
                Given.files(file("a.svm", "1.5 0:1", "2.5 2:1", "3 1:1", "4 0:2 5:9"))
                        .split(TAIL)
                        .terms(TermSpec.sparseDefaults());
        PreparedData found = data.prepare(given);
        TableEncoding encoding = (TableEncoding) GivenEncoding.again(found);
        assertThat(encoding.columns()).containsExactly(new Pairs("features", 3, 0, 2));
        assertThat(encoding.label().classes()).isEmpty();
        assertThat(GivenEncoding.held(found)).containsExactly(1, 1, 0, 0, 0, 2, 0, 0);
        PreparedData later =
                data.encodeInputs(encoding, Given.files(file("b.svm", "0 0:3 1:4 2:5 9:6")));
        assertThat(GivenEncoding.held(later)).containsExactly(0, 3, 1, 4, 2, 5);
    }

    @Test
    void oneLongRowShouldBeSaid() throws IOException {
        StringBuilder pairs = new StringBuilder("1");
        for (int index = 1; index <= 900; index++) {
            pairs.append(' ').append(index).append(":1");
        }
        Path file = file("a.svm", pairs.toString(), "0 1:1\n1 2:1\n".repeat(20));
        TermSpec sparse = TermSpec.sparseDefaults();
        assertThat(sentences(file, sparse)).contains("at most 900 in a row, of which the mean has");
        Path even = file("b.svm", "0 1:1", "1 2:1 3:1", "0 1:1", "1 2:1");
        assertThat(sentences(even, sparse)).doesNotContain("of which the mean");
    }

    private String sentences(Path file, TermSpec terms) throws IOException {
        return String.join(
                "; ",
                data.prepare(Given.files(file).split(TAIL).terms(terms)).findings().sentences());
    }

    @ParameterizedTest
    @CsvSource({
        "1 1:2 x:3, '\"x:3\" is no index and value, as 3:0.5'",
        "1 1:2 3, '\"3\" is no index and value'",
        "1 qid:3 1:2, '\"qid:3\" says with which rows this one is ranked'",
        "1 1:1e999, 'the value 1e999 is beyond'",
        "1 2:1 1:-1e39, 'the value -1e39 is beyond'",
        "1 1:nan, '\"1:nan\" is no index'",
        "1 4:2 1:2 4:1, 'index 4 stands there twice'"
    })
    void badPairsShouldBeNamedByLine(String line, String message) throws IOException {
        Path file = file("bad.svm", "# a title", "1 1:1", "", line, "2 1:2");
        assertThatThrownBy(() -> data.prepare(Given.files(file).split(TAIL)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("bad.svm, row 2 (line 4), ", message);
        Path more = file("more.svm", "# a title", "1 1:1", line, "2 1:2", "1 1:3", "2 1:4");
        PreparedData left = data.prepare(Given.files(more).badRows(BadRows.SKIP).split(TAIL));
        assertThat(left.findings().badRows()).isEqualTo(1);
    }

    @Test
    void filesWithoutAnEndingShouldBeKnownByTheirFirstLine() throws IOException {
        String rows = "0 3:1 10:1\n1 3:1 20:1\n";
        Path file = Files.writeString(folder.resolve("agaricus.train"), rows);
        assertThat(Inputs.detect(file.toString())).isEqualTo(DataFormat.LIBSVM);
        assertThat(Datasets.describe(file).suggestions()).isEmpty();
        Path times = Files.writeString(folder.resolve("times"), "10:20 is the time\nof all\n");
        assertThat(Inputs.detect(times.toString())).isEqualTo(DataFormat.TEXT);
    }

    @Test
    void predictionsShouldStandBesideTheirRows() throws IOException {
        TableEncoding model =
                (TableEncoding)
                        data.prepare(Given.files(file("a.svm", "1 1:1", "0 2:1", "1 1:2", "0 2:2")))
                                .encoding();
        PreparedData rows =
                data.encodeInputs(model, Given.files(file("b.svm", "1 1:3", "0", "0 2:1 1:1")));
        Path out = folder.resolve("out.csv");
        try (PredictionWriter writer =
                PredictionWriter.open(
                        rows, Map.of("score", PredictionWriter.ColumnType.NUMBER), out)) {
            for (double score : List.of(0.5, 0.25, 1.0)) {
                writer.add(score);
            }
            writer.finish();
        }
        assertThat(Files.readAllLines(out))
                .containsExactly(
                        "label,features,score", "1,1:3,0.5", "0,\"\",0.25", "0,2:1 1:1,1.0");
    }

    private Path file(String name, String... lines) throws IOException {
        return Files.writeString(folder.resolve(name), String.join("\n", lines) + "\n");
    }
}
