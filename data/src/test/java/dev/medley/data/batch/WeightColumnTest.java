package dev.medley.data.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import dev.medley.data.encoding.WeightEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A column that says what rows count. */
@Tag("unit")
class WeightColumnTest {
    private static final SplitSpec TAIL = new SplitSpec(SplitKind.TAIL, 0.5, null);

    @TempDir Path folder;

    private GivenEncoding data() {
        return new GivenEncoding(folder.resolve("cache"));
    }

    @ParameterizedTest
    @CsvSource({"no;yes;no;yes", "1.5;2.5;3.5;4.5"})
    void weightsShouldComeWithTheRowsAndBeNoFeature(String labels) throws IOException {
        String[] y = labels.split(";");
        Path file = csv("w,x,y", "2,1," + y[0], "0,3," + y[1], "0.25,5," + y[2], "3,2," + y[3]);
        PreparedData prepared =
                data().prepare(Given.files(file).label("y").weight("w").split(TAIL));
        TableEncoding encoding = (TableEncoding) prepared.encoding();
        assertThat(encoding.featureNames()).containsExactly("x");
        assertThat(encoding.weight()).isEqualTo(new WeightEncoding("w", Source.NUMBER));
        assertThat(prepared.signature().weighted()).isTrue();
        assertThat(held(prepared)).containsExactly(0.25f, 3);
        Encoding again = GivenEncoding.again(prepared);
        assertThat(again).isEqualTo(encoding);
        Path without = csv("x,y", "1," + y[0], "2," + y[1]);
        assertThat(held(data().encode(again, Given.files(without)))).containsExactly(1, 1);
        Path with = csv("y,x,w", y[0] + ",1,7", y[1] + ",2,0");
        assertThat(held(data().encode(again, Given.files(with)))).containsExactly(7, 0);
        Path predicted = csv("x,w", "1,-3", "2,");
        assertThat(held(data().encode(again, Given.files(predicted)))).containsExactly(1, 1);
        Path more = csv("w,x,y", "1,1," + y[0], "1,3," + y[1], "5,5," + y[0], "6,2," + y[1]);
        Given on = Given.files(more).label("y").split(TAIL);
        assertThat(data().prepareAs(again, on).signature().weighted()).isFalse();
        assertThat(held(data().prepareAs(again, on.weight("w")))).containsExactly(5, 6);
    }

    @ParameterizedTest
    @CsvSource({
        "-1, row 2 (line 3), the weight -1 is not a number of 0 or more",
        "'', row 2 (line 3), the weight is missing",
        "nan, row 2 (line 3), not a finite number",
        "heavy, row 2 (line 3), the text \"heavy\" is not a number"
    })
    void aWeightThatIsNoneShouldBeRefusedWithItsPlace(String weight, String place, String what)
            throws IOException {
        Path file = csv("w,x,y", "2,1,a", weight + ",3,b", "1,4,b", "1,5,a", "1,6,b", "1,7,a");
        Given given = Given.files(file).label("y").weight("w").split(TAIL);
        assertThatThrownBy(() -> data().prepare(given))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(file.toString(), place, "column 'w'", what);
        assertThat(data().prepare(given.badRows(BadRows.SKIP)).trainSamples()).isLessThan(4);
    }

    @Test
    void weightsThatAnEvaluationDoesNotFindShouldBeSaid() throws IOException {
        Path file = csv("w,x,y", "2,1,a", "1,3,b", "1,5,a", "3,2,b");
        Encoding model = data().trained(Given.files(file).label("y").weight("w").split(TAIL));
        Path renamed = csv("v,x,y", "2,1,a", "1,3,b");
        assertThat(data().encode(model, Given.files(renamed)).findings().warnings())
                .singleElement()
                .asString()
                .contains(renamed.toString(), "no column 'w'", "each counts one");
        assertThatThrownBy(() -> data().encode(model, Given.files(renamed, file)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(renamed.toString(), "has no column 'w'");
        assertThat(data().encode(model, Given.files(file)).findings().warnings()).isEmpty();
    }

    @Test
    void aPredictionShouldReadNeitherLabelsNorWeights() throws IOException {
        Path file = csv("w,x,y", "2,1,a", "1,3,b", "1,5,a", "3,2,b");
        Encoding model = data().trained(Given.files(file).label("y").weight("w").split(TAIL));
        Path open = csv("w,x,y", "TBD,1,?", "-1,3,tbd", ",4,");
        PreparedData read = data().encodeInputs(model, Given.files(open));
        assertThat(read.validationSamples()).isEqualTo(3);
        assertThat(read.findings().targets()).isFalse();
        assertThat(read.findings().warnings()).isEmpty();
        assertThatThrownBy(() -> data().encode(model, Given.files(open)))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void aWeightThatIsAFeatureShouldBeReadAsTheModelReadsIt() throws IOException {
        Path file = csv("w,x,y", "2,1,a", "1,3,b", "1,5,a", "3,2,b");
        Given given = Given.files(file).label("y").split(TAIL);
        Encoding number = data().trained(given);
        assertThat(held(data().prepareAs(number, given.weight("w")))).containsExactly(1, 3);
        Path words = csv("w,x,y", "u,1,a", "v,3,b", "u,5,a", "v,2,b");
        Encoding category = data().trained(Given.files(words).label("y").split(TAIL));
        assertThatThrownBy(() -> data().prepareAs(category, given.weight("w")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("data.weight=w", "no number");
        Path days =
                csv(
                        "w,x,y",
                        "2024-01-01,1,a",
                        "2024-01-02,3,b",
                        "2024-01-03,5,a",
                        "2024-01-04,2,b");
        Encoding day = data().trained(Given.files(days).label("y").split(TAIL));
        assertThatThrownBy(() -> data().prepareAs(day, given.weight("w")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("data.weight=w", "no number");
    }

    @Test
    void weightsShouldBeNumbersOfSinglePrecision() throws IOException {
        Path large = csv("w,x,y", "1,1,a", "1e39,3,b", "1,5,a", "1,2,b");
        assertThatThrownBy(
                        () -> data().prepare(Given.files(large).label("y").weight("w").split(TAIL)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("row 2 (line 3)", "column 'w'", "1e39 is too large");
        Path small = csv("w,x,y", "1e-50,1,a", "1e-50,3,b", "1,5,a", "1,2,b");
        assertThatThrownBy(
                        () -> data().prepare(Given.files(small).label("y").weight("w").split(TAIL)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("'w'", "rows to train are 0");
        TableSpec table =
                new TableSpec(
                        null, null, ".", List.of(""), List.of(), List.of("w"), 50, BadRows.FAIL);
        assertThatThrownBy(
                        () ->
                                data().prepare(
                                                Given.files(small)
                                                        .label("y")
                                                        .weight("w")
                                                        .table(table)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("data.weight=w", "data.table.categorical");
    }

    @Test
    void weightsThatAreAllZeroShouldBeRefused() throws IOException {
        Path file = csv("w,x,y", "0,1,a", "0,3,b", "1,5,a", "1,2,b");
        assertThatThrownBy(
                        () -> data().prepare(Given.files(file).label("y").weight("w").split(TAIL)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(file.toString(), "'w'", "rows to train are 0");
        assertThatThrownBy(() -> data().prepare(Given.files(file).label("y").weight("v")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("data.weight=v", "no such column");
        assertThatThrownBy(() -> Given.files(file).label("y").weight("y").spec())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("data.label, too");
        Path held = Files.writeString(folder.resolve("held.csv"), "x,y\n1,a\n2,b\n");
        assertThatThrownBy(
                        () ->
                                data().prepare(
                                                Given.files(file)
                                                        .validation(held)
                                                        .label("y")
                                                        .weight("w")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("held.csv", "data.weight=w");
    }

    @Test
    void otherDataThanTablesShouldHaveNoWeights() throws IOException {
        Path text = Files.writeString(folder.resolve("a.txt"), "abc".repeat(200));
        assertThatThrownBy(() -> data().prepare(Given.files(text).weight("w")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("data.weight=w", "a.txt", "TEXT");
    }

    private static float[] held(PreparedData prepared) {
        try (TrainingData training = TrainingData.open(prepared, 1, Clock.system())) {
            Batch batch = training.validation(0, (int) prepared.validationSamples());
            return Given.floats(Objects.requireNonNull(batch.weights()));
        }
    }

    private Path csv(String... lines) throws IOException {
        Path file = Files.createTempFile(folder, "t", ".csv");
        return Files.writeString(file, String.join("\n", lines) + "\n");
    }
}
