package dev.medley.data.table.fit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.base.table.TermSpec;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.ColumnEncoding.Source;
import dev.medley.data.encoding.LabelEncoding;
import dev.medley.data.encoding.SparseColumn.Hashed;
import dev.medley.data.encoding.SparseColumn.Pairs;
import dev.medley.data.encoding.TableEncoding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is too much for a model is refused with what makes it less; what is not too much is not. */
@Tag("unit")
class TermLimitsTest {
    private static final ColumnEncoding NUMBER = new Numeric("x", Source.NUMBER, 0, 1, 0, false);

    private static TableEncoding encoding(boolean sparse, List<ColumnEncoding> columns) {
        return new TableEncoding(columns, LabelEncoding.NONE, List.of(), null, null, sparse);
    }

    private static void fits(boolean sparse, ColumnEncoding... columns) {
        assertThatCode(() -> TermLimits.require(encoding(sparse, List.of(columns))))
                .doesNotThrowAnyException();
    }

    private static void isRefused(String message, boolean sparse, ColumnEncoding... columns) {
        assertThatThrownBy(() -> TermLimits.require(encoding(sparse, List.of(columns))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void hashesThatAreSpreadShouldBeFew() {
        fits(false, new Hashed("t", 16, true, 5));
        fits(true, new Hashed("t", 17, true, 5), NUMBER);
        isRefused(
                "columns [t] become 65,536 features, and model families other than linear take"
                        + " 65,536 at most: lower data.table.vocabulary or data.table.hash_bits",
                false,
                new Hashed("t", 16, true, 5),
                NUMBER);
        isRefused("lower the indices, or", false, new Pairs("p", 65_537, 1, 5));
        List<ColumnEncoding> wide = new ArrayList<>(Collections.nCopies(65_537, NUMBER));
        assertThatCode(() -> TermLimits.require(encoding(false, wide))).doesNotThrowAnyException();
    }

    @Test
    void hashesOfAllColumnsShouldBeCountable() {
        Hashed most = new Hashed("t", TermSpec.MOST_BITS, true, 5);
        fits(true, most, NUMBER);
        isRefused(
                "columns [t, u] become 16,777,218 features, more than 16,777,216",
                true,
                most,
                new Hashed("u", 1, true, 5));
    }

    /** Each value has its own draw; beyond so many a split by them says nothing. */
    @Test
    void strataShouldBeFew(@TempDir Path folder) throws Exception {
        GivenEncoding data = new GivenEncoding(folder.resolve("cache"));
        List<String> lines = new ArrayList<>(List.of("x,s,y"));
        for (int i = 0; i < 10_001; i++) {
            lines.add("%d,s%d,%d.5".formatted(i % 9, i, i % 7));
        }
        SplitSpec by = new SplitSpec(SplitKind.STRATIFIED, 0.5, "s");
        Path file = Files.write(folder.resolve("many.csv"), lines);
        assertThatThrownBy(() -> data.prepare(Given.files(file).label("y").split(by)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "data.split.by=s: 10,001 different values are too many strata (limit"
                                + " 10,000)");
    }
}
