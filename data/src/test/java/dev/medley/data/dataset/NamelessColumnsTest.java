package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.data.encoding.CsvReading;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Columns without names are known by their place: a file with more or fewer is never read. */
@Tag("unit")
class NamelessColumnsTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    private final Path folder;
    private final GivenEncoding data;

    NamelessColumnsTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void anIndexInFrontShouldBeRefusedWithBothCounts() throws IOException {
        Path train = table("t.csv", "%d,%2$d.5,%3$s");
        Path indexed = table("i.csv", "%4$d,%d,%2$d.5,%3$s");
        Given given = Given.files(train).label("column2").split(ALL);
        String counts = "i.csv: has 4 columns, but the training files have 3";
        Encoding model = data.trained(given);
        assertThatThrownBy(() -> data.encode(model, Given.files(indexed)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(counts + " (2 without the label): without a line of names");
        assertThatThrownBy(() -> data.encodeInputs(model, Given.files(indexed)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(counts);
        data.assertRefused(model, Given.files(indexed).label("column2"), counts);
        assertThatThrownBy(() -> data.prepare(given.validation(indexed)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(counts + ": without a line of names");
        assertThatThrownBy(() -> data.prepare(Given.files(train, indexed).label("column2")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(counts);
    }

    @Test
    void aFileWithoutTheLabelInFrontShouldBeRefused() throws IOException {
        Path train = table("t.csv", "%3$s,%d,%2$d.5,7");
        Encoding model = data.trained(Given.files(train).label("column0").split(ALL));
        assertThat(((TableEncoding) model).columns()).hasSize(2);
        Path bare = table("b.csv", "%d,%2$d.5,7");
        assertThatThrownBy(() -> data.encodeInputs(model, Given.files(bare)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("b.csv: has 3 columns, but the training files have 4: with");
    }

    @ParameterizedTest
    @CsvSource({"2,'%d,%2$d.5'", "2,'%d,%2$d.5,,'", "2,'%d,%2$d.5,1'"})
    void aLabelAndAWeightAtTheEndShouldNotBeNeeded(int label, String row) throws IOException {
        Path train = table("t.csv", "%d,%2$d.5,%3$s,1");
        Given given = Given.files(train).label("column" + label).weight("column3").split(ALL);
        Encoding model = data.trained(given);
        PreparedData read = data.encodeInputs(model, Given.files(table("n.csv", row)));
        PreparedData whole = data.encodeInputs(model, Given.files(train));
        assertThat(GivenEncoding.held(read)).isEqualTo(GivenEncoding.held(whole));
    }

    @Test
    void columnsWithNamesShouldBeFoundAmongOthers() throws IOException {
        Path train = Files.writeString(folder.resolve("t.csv"), "x,y\n1,a\n2,b\n3,a\n4,b\n");
        Encoding model = data.trained(Given.files(train).label("y").split(ALL));
        Path more = Files.writeString(folder.resolve("m.csv"), "i,x,z\n0,1,5\n1,2,5\n");
        assertThat(data.encode(model, Given.files(more)).validationSamples()).isEqualTo(2);
    }

    @Test
    void aModelThatDoesNotTellTheCountShouldReadAsBefore() throws IOException {
        Path train = table("t.csv", "%d,%2$d.5,%3$s");
        Given given = Given.files(train).label("column2").split(ALL);
        String model = Json.line(data.prepare(given).encoding());
        assertThat(model).contains("\"columns\":3");
        String without = model.replaceFirst("\"columns\":3,|,\"columns\":3", "");
        Encoding older = Json.parse(without, Encoding.class);
        assertThat(((TableEncoding) older).csv()).isEqualTo(new CsvReading(",", false, ".", 0));
        Path indexed = table("i.csv", "%d,%2$d.5,%3$s,%4$d");
        assertThat(data.encode(older, Given.files(indexed)).validationSamples()).isEqualTo(40);
    }

    /** Rows without a line of names; {@code row} takes two numbers, a class and a count. */
    private Path table(String name, String row) throws IOException {
        return Files.write(
                folder.resolve(name),
                IntStream.range(0, 40)
                        .mapToObj(i -> row.formatted(i % 7, i % 5, i % 2 == 0 ? "a" : "b", i))
                        .toList());
    }
}
