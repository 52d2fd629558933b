package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A label that counts events is a number of 0 or more, whose rate is learnt. */
@Tag("unit")
class CountsTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    private final Path folder;
    private final GivenEncoding data;

    CountsTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void fewWholeNumbersShouldBeARateAndNoClasses() throws IOException {
        PreparedData found = data.prepare(counts("1,0", "2,0", "3,1", "4,5"));
        Target target = GivenEncoding.again(found).signature().target();
        assertThat(target.kind()).isEqualTo(TargetKind.VALUE);
        assertThat(target.isRate()).isTrue();
        assertThat(target.mean()).isEqualTo(1.5);
        assertThat(found.findings().sentences())
                .contains(
                        "label 'y': counts from 0.00000 to 5.00000, of which the rate is learnt;"
                                + " their mean is 1.50000");
    }

    @Test
    void labelsBelowZeroShouldBeNamedByLine() throws IOException {
        Given bad = counts("1,0", "2,3", "3,-1", "4,5");
        assertThatThrownBy(() -> data.prepare(bad))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "row 3 (line 4), column 'y' (data.task: counts): the label -1 is below 0");
        PreparedData model = data.prepare(counts("1,0", "2,0", "3,1", "4,5"));
        Path later = Files.writeString(folder.resolve("later.csv"), "x,y\n1,2\n2,-3\n");
        assertThatThrownBy(() -> data.encode(model.encoding(), Given.files(later)))
                .hasMessageContaining("later.csv, row 2 (line 3), column 'y'");
    }

    private Given counts(String... rows) throws IOException {
        String text = "x,y\n" + String.join("\n", rows) + "\n";
        Path file = folder.resolve(Integer.toHexString(text.hashCode()) + ".csv");
        Files.writeString(file, text);
        return Given.files(file).label("y").split(ALL).task(Task.COUNTS);
    }
}
