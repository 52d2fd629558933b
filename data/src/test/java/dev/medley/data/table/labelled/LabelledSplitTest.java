package dev.medley.data.table.labelled;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.BadRows;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.job.DataSpec.Task;
import dev.medley.base.job.DataSpec.TextSpec;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.LabelledTextEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is held out of labelled texts teaches nothing, in every way that it can be held out. */
@Tag("real")
class LabelledSplitTest {
    private static final SplitSpec NONE = new SplitSpec(SplitKind.RANDOM, 0, null);
    private static final SplitSpec BY_SITE = new SplitSpec(SplitKind.STRATIFIED, 0.5, "site");

    private final Path folder;
    private final GivenEncoding data;

    LabelledSplitTest(@TempDir Path folder) {
        this.folder = folder;
        data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void classesShouldBeCountedOverTheRowsOfTraining() throws IOException {
        Path train = write("a.csv", "review,sort\none,x\ntwo,y\nthree,y\n");
        Path held = write("b.csv", "review,sort\nfour,x\nfive,y\n");
        PreparedData found = data.prepare(texts(train, TextUnit.BYTES).validation(held));
        assertThat(found.findings().classCounts()).containsExactly(1L, 2L);
        assertThat(found.trainSamples()).isEqualTo(3);
        assertThat(found.validationSamples()).isEqualTo(2);
        PreparedData again =
                data.prepareAs(
                        GivenEncoding.again(found), texts(train, TextUnit.BYTES).validation(held));
        assertThat(again.validationSamples()).isEqualTo(2);
        assertThat(again.findings().classCounts()).containsExactly(1L, 2L);
    }

    /**
     * A column that only divides the rows is read too, with a new encoding and with a given one.
     */
    @Test
    void rowsShouldBeDividedByAColumnThatIsNoInput() throws IOException {
        StringBuilder rows = new StringBuilder("review,sort,site\n");
        for (int i = 0; i < 8; i++) {
            rows.append("text ").append(i).append(i % 2 == 0 ? ",x," : ",y,");
            rows.append(i < 4 ? "north\n" : "south\n");
        }
        Given given = texts(write("a.csv", rows.toString()), TextUnit.BYTES).split(BY_SITE);
        PreparedData found = data.prepare(given);
        assertThat(found.validationSamples()).isEqualTo(4);
        PreparedData again = data.prepareAs(GivenEncoding.again(found), given);
        assertThat(again.validationSamples()).isEqualTo(4);
        Path other = write("b.csv", "review,sort\na,x\nb,y\n");
        assertThatThrownBy(() -> data.prepare(texts(other, TextUnit.BYTES).split(BY_SITE)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("site");
    }

    /** Byte pairs are those of the texts that are trained on. */
    @Test
    void pairsOfTextsThatAreHeldShouldNotBeLearnt() throws IOException {
        StringBuilder rows = new StringBuilder("review,sort\n");
        for (int i = 0; i < 40; i++) {
            rows.append("abab abab abab,").append(i % 2 == 0 ? "x\n" : "y\n");
        }
        Path train = write("a.csv", rows.toString());
        Path held = write("b.csv", "review,sort\n" + "qzqz qzqz,x\n".repeat(200));
        List<String> words = tokens(texts(train, TextUnit.BPE).validation(held));
        assertThat(words).contains("ab").doesNotContain("qz");
        Path mixed = write("c.csv", rows + "qzqz qzqz qzqz qzqz qzqz,x\n".repeat(40));
        assertThat(tokens(texts(mixed, TextUnit.BPE))).contains("qz");
        String single = "review,sort\n" + "abab,x\nabab,y\n".repeat(20) + "q1q1q1q1q1q1,x\n";
        for (int seed = 1; seed <= 8; seed++) {
            PreparedData parts =
                    data.prepare(
                            texts(write("d" + seed + ".csv", single), TextUnit.BPE)
                                    .split(new SplitSpec(SplitKind.TAIL, 0.1, null)));
            LabelledTextEncoding encoding = (LabelledTextEncoding) parts.encoding();
            assertThat(encoding.tokens().vocabulary()).contains("ab").doesNotContain("q1");
        }
    }

    @Test
    void rowsWithoutAClassShouldBeSkippedOnlyWhereTheJobSaysSo() throws IOException {
        Path train = write("a.csv", "review,sort\none,x\ntwo,\nthree,y\n");
        PreparedData found = data.prepare(texts(train, TextUnit.BYTES).badRows(BadRows.SKIP));
        assertThat(found.trainSamples()).isEqualTo(2);
        assertThat(found.findings().badRows()).isEqualTo(1);
        assertThat(found.findings().sentences()).anyMatch(said -> said.contains("1 row"));
        Given strict = texts(train, TextUnit.BYTES);
        data.assertRefused(GivenEncoding.again(found), strict, "line 3", "the label is missing");
        Path whole = write("b.csv", "review,sort\none,x\nthree,y\n");
        assertThat(data.prepare(texts(whole, TextUnit.BYTES)).findings().sentences())
                .noneMatch(said -> said.contains("left out"));
    }

    @Test
    void whatGivesTextsNoClassShouldBeRefused() throws IOException {
        Path train = write("a.csv", "review,sort\none,1\ntwo,2\n");
        assertRefused(texts(train, TextUnit.BYTES).task(Task.REGRESSION), "data.task=REGRESSION");
        assertRefused(texts(train, TextUnit.BYTES).label("review"), "data.label=review");
        assertRefused(texts(train, TextUnit.CHARACTERS), "data.text.unit=characters");
    }

    private void assertRefused(Given given, String why) {
        assertThatThrownBy(() -> data.prepare(given))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(why);
    }

    private List<String> tokens(Given given) {
        return ((LabelledTextEncoding) data.prepare(given).encoding()).tokens().vocabulary();
    }

    private static Given texts(Path file, TextUnit unit) {
        return Given.files(file)
                .label("sort")
                .text(new TextSpec(unit, 16, 16, List.of("*"), 300, "review"))
                .split(NONE);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
