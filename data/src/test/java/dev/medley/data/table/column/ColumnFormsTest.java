package dev.medley.data.table.column;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.SplitKind;
import dev.medley.base.job.DataSpec.SplitSpec;
import dev.medley.data.dataset.Given;
import dev.medley.data.dataset.GivenEncoding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few errors do not change what a column is; and a line of names is no row of it. */
@Tag("unit")
class ColumnFormsTest {
    @Test
    void fewErrorsShouldBeOneInThreeRowsAndAFifthOfMany() {
        assertThat(ColumnForms.isMostly(0, 0)).isFalse();
        assertThat(ColumnForms.isMostly(1, 1)).isTrue();
        assertThat(ColumnForms.isMostly(1, 2)).isFalse();
        assertThat(ColumnForms.isMostly(2, 3)).isTrue();
        assertThat(ColumnForms.isMostly(1, 3)).isFalse();
        assertThat(ColumnForms.isMostly(80, 100)).isTrue();
        assertThat(ColumnForms.isMostly(79, 100)).isFalse();
    }

    @Test
    void theNamesOnceMoreShouldBeRefusedWithTheirLine(@TempDir Path folder) throws Exception {
        List<String> lines = new ArrayList<>(List.of("c,d,y"));
        for (int i = 0; i < 20; i++) {
            lines.add("c%d,d%d,%s".formatted(i % 3, i % 4, i % 2 == 0 ? "a" : "b"));
        }
        lines.add(11, "c,d,y");
        Given given =
                Given.files(Files.write(folder.resolve("t.csv"), lines))
                        .label("y")
                        .split(new SplitSpec(SplitKind.RANDOM, 0, null));
        assertThatThrownBy(() -> new GivenEncoding(folder.resolve("cache")).prepare(given))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "t.csv, row 11 (line 12)", "the line of the names stands here once more");
    }
}
