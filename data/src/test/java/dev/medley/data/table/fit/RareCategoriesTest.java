package dev.medley.data.table.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.table.TermSpec;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.dataset.PreparedData;
import dev.medley.data.encoding.ColumnEncoding.Category;
import dev.medley.data.encoding.TableEncoding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that few rows have are one category, and so is what training has not seen. */
@Tag("unit")
class RareCategoriesTest {
    private static final SplitSpec ALL = new SplitSpec(SplitKind.RANDOM, 0, null);

    private final Path folder;
    private final GivenEncoding data;

    RareCategoriesTest(@TempDir Path folder) {
        this.folder = folder;
        this.data = new GivenEncoding(folder.resolve("cache"));
    }

    @Test
    void valuesOfFewRowsShouldShareAColumnWithWhatIsUnseen() throws IOException {
        PreparedData found = prepared("a a a b b b c d  ", TermSpec.defaults().keeping(3, 0));
        TableEncoding encoding = (TableEncoding) GivenEncoding.again(found);
        assertThat(encoding.columns())
                .containsExactly(new Category("c", List.of("a", "b"), true, false, 0.2));
        assertThat(encoding.featureNames()).containsExactly("c=a", "c=b", "c rare", "c missing");
        assertThat(found.findings().sentences())
                .contains(
                        "rare values are one category, which unseen values join: c (2 values in 2"
                                + " rows)");
        PreparedData later = data.encodeInputs(encoding, Given.files(table("b c zz ")));
        assertThat(GivenEncoding.held(later))
                .containsExactly(0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    }

    @Test
    void theMostFrequentShouldBeKeptAndOfEqualOnesTheFirst() throws IOException {
        TableEncoding encoding =
                (TableEncoding)
                        prepared("d d d c c b b a", TermSpec.defaults().keeping(1, 2)).encoding();
        assertThat(((Category) encoding.columns().get(0)).values()).containsExactly("b", "d");
    }

    /** Trees and embeddings read codes: rare values have one, and no unknown one is left. */
    @Test
    void codesShouldBeThoseOfValuesThenOfRareOnesThenOfMissingOnes() {
        Category all = new Category("c", List.of("a", "b"), true, true, 0.5);
        assertThat(List.of(all.unknownCode(), all.missingCode(), all.cardinality()))
                .containsExactly(2, 3, 4);
        Category plain = new Category("c", List.of("a", "b"), true, true);
        assertThat(List.of(plain.unknownCode(), plain.missingCode(), plain.cardinality()))
                .containsExactly(3, 2, 4);
    }

    @Test
    void aColumnOfRareValuesAloneShouldBeLeftOut() throws IOException {
        assertThatThrownBy(() -> prepared("a b c d", TermSpec.defaults().keeping(2, 0)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "column 'c' is left out: all its values are rare, with fewer than 2"
                                + " training rows each");
    }

    private PreparedData prepared(String values, TermSpec terms) throws IOException {
        return data.prepare(Given.files(table(values)).label("y").split(ALL).terms(terms));
    }

    /** A table with a row for each value between single spaces. */
    private Path table(String values) throws IOException {
        StringBuilder text = new StringBuilder("c,y\n");
        int row = 0;
        for (String value : values.split(" ", -1)) {
            text.append(value).append(row++ % 2 == 0 ? ",no\n" : ",yes\n");
        }
        Path file = folder.resolve(Integer.toHexString(values.hashCode()) + ".csv");
        return Files.writeString(file, text);
    }
}
