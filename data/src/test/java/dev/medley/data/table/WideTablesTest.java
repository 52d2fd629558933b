package dev.medley.data.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec.TableSpec;
import dev.medley.data.table.TableSummary.ColumnSummary;
import dev.medley.data.table.TableSummary.Frequent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of many columns the first hundred are counted, and the last one, which may be the label. */
@Tag("unit")
class WideTablesTest {
    @Test
    void theLastColumnShouldBeCountedWhateverIsBeforeIt(@TempDir Path folder) throws IOException {
        List<String> lines =
                List.of(
                        line(i -> "c" + i),
                        line(i -> i == 102 ? "01" : "5"),
                        line(i -> i == 102 ? "1" : "5"),
                        line(i -> i == 102 ? "01" : "6"));
        Path file = Files.write(folder.resolve("wide.csv"), lines);
        List<ColumnSummary> columns =
                TableSummary.of(file, DataFormat.CSV, TableSpec.defaults()).columns();
        assertThat(columns).hasSize(103);
        assertThat(columns.get(99).frequent())
                .containsExactly(new Frequent("5", 2), new Frequent("6", 1));
        assertThat(columns.get(100).frequent()).isEmpty();
        assertThat(columns.get(101).frequent()).isEmpty();
        assertThat(columns.get(102).frequent())
                .containsExactly(new Frequent("01", 2), new Frequent("1", 1));
    }

    private static String line(java.util.function.IntFunction<String> value) {
        return IntStream.range(0, 103).mapToObj(value).collect(Collectors.joining(","));
    }
}
