package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.NumberScaling;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables whose rows are ranked in groups. */
@Tag("unit")
class RankedRowsTableTest {
    @TempDir Path folder;

    private GivenEncoding data() {
        return new GivenEncoding(folder.resolve("cache"));
    }

    private Path csv(String name, List<String> rows) throws IOException {
        List<String> all = new ArrayList<>(List.of("g,x,q"));
        all.addAll(rows);
        return Files.write(folder.resolve(name), all);
    }

    /** Groups of 1 to 5 rows. */
    private Path groups(int count) throws IOException {
        List<String> rows = new ArrayList<>();
        for (int group = 0; group < count; group++) {
            for (int row = 0; row <= group % 5; row++) {
                rows.add("%d,%d,query %d".formatted((group + row) % 4, rows.size(), group));
            }
        }
        return csv("groups.csv", rows);
    }

    private static List<List<Float>> held(PreparedData prepared) {
        List<List<Float>> rows = new ArrayList<>();
        try (TrainingData open = TrainingData.open(prepared, 0, Clock.system())) {
            Batch batch = open.validation(0, open.validationSamples());
            FloatBuffer targets = batch.target().data().buffer().asFloatBuffer();
            FloatBuffer x = batch.inputs().get(0).data().buffer().asFloatBuffer();
            for (int row = 0; row < batch.samples(); row++) {
                rows.add(List.of(x.get(row), targets.get(2 * row), targets.get(2 * row + 1)));
            }
        }
        return rows;
    }

    @ParameterizedTest
    @EnumSource(names = {"RANDOM", "TAIL"})
    void groupsShouldBeHeldOutWhole(SplitKind kind) throws IOException {
        Given given =
                Given.files(groups(40))
                        .label("g")
                        .ranked("q")
                        .split(new SplitSpec(kind, 0.25, null));
        PreparedData prepared = data().prepare(given);
        assertThat(prepared.signature().target().kind()).isEqualTo(TargetKind.GRADE);
        assertThat(((TableEncoding) prepared.encoding()).featureNames()).containsExactly("x");
        List<List<Float>> rows = held(prepared);
        assertThat(rows.stream().filter(row -> row.get(2) == 1)).hasSize(10);
        assertThat(rows.get(0).get(2)).isEqualTo(1);
        int length = 0;
        for (int at = rows.size() - 1; at >= 0; at--) {
            length++;
            if (rows.get(at).get(2) == 1) {
                int first = rows.get(at).get(1).intValue(); // Of group n: n % 4, and n % 5 follow.
                assertThat(length).isBetween(1, 5);
                assertThat(rows.get(at + length - 1).get(1).intValue())
                        .isEqualTo((first + length - 1) % 4);
                length = 0;
            }
        }
        assertThat(prepared.trainSamples() + rows.size()).isEqualTo(120);
    }

    @Test
    void newRowsShouldBeGroupedAsThoseOfTraining() throws IOException {
        Path train = groups(10);
        Path given = csv("given.csv", List.of("1,5,a", "0,6,a", "2,7,b"));
        PreparedData prepared =
                data().prepare(
                                Given.files(train)
                                        .validation(given)
                                        .label("g")
                                        .ranked("q")
                                        .scaling(NumberScaling.RAW));
        List<List<Float>> rows =
                List.of(List.of(5f, 1f, 1f), List.of(6f, 0f, 0f), List.of(7f, 2f, 1f));
        assertThat(held(prepared)).isEqualTo(rows);
        Encoding again = GivenEncoding.again(prepared);
        assertThat(again).isEqualTo(prepared.encoding());
        assertThat(held(data().encode(again, Given.files(given)))).isEqualTo(rows);
        Path without = Files.write(folder.resolve("w.csv"), List.of("g,x", "1,5"));
        assertThatThrownBy(() -> data().encode(again, Given.files(without)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("data.group=q")
                .hasMessageContaining("has no such column");
    }

    @ParameterizedTest
    @CsvSource({
        "'-1,3,a', row 2 (line 3), the grade -1 is no whole number of 0 or more",
        "'1.5,3,a', row 2 (line 3), the grade 1.5 is no whole number of 0 or more",
        "'32,3,a', row 2 (line 3), the grade 32 is above 31",
        "'1,3,', row 2 (line 3), the group is missing"
    })
    void aRowThatCannotBeRankedShouldBeRefusedWithItsPlace(String row, String place, String what)
            throws IOException {
        Path file = csv("bad.csv", List.of("1,2,a", row, "0,4,a", "2,1,b", "1,2,b"));
        Given given = Given.files(file).validation(groups(3)).label("g").ranked("q");
        assertThatThrownBy(() -> data().prepare(given))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(place)
                .hasMessageContaining(what);
        PreparedData rest = data().prepare(given.badRows(BadRows.SKIP));
        assertThat(rest.trainSamples()).isEqualTo(4);
    }

    @Test
    void rowsOfAGroupThatLieApartShouldBeRefusedWithTheirPlace() throws IOException {
        Path file = csv("torn.csv", List.of("1,2,a", "0,3,a", "0,4,b", "2,1,a", "1,2,b"));
        Given given = Given.files(file).validation(groups(3)).label("g").ranked("q");
        assertThatThrownBy(() -> data().prepare(given.badRows(BadRows.SKIP)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("row 4 (line 5), column 'q' (data.group): group 'a' began")
                .hasMessageContaining("sort the table by this column");
    }
}
