package dev.medley.data.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.data.table.engine.DuckDb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All rows are in the file, or there is none, and nothing lies beside it. */
@Tag("unit")
class RowsFileTest {
    @TempDir Path folder;

    @Test
    void rowsShouldBeInTheFileWithTheirTypes() throws Exception {
        Map<String, Boolean> columns = new LinkedHashMap<>();
        columns.put("a \"b\"", false);
        columns.put("n", true);
        Path out = folder.resolve("it's.parquet");
        try (RowsFile rows = RowsFile.parquet(columns, out)) {
            for (int i = 0; i < 3; i++) {
                rows.add("t" + i, i + 0.5);
            }
            assertThat(out).doesNotExist();
            rows.finish();
        }
        assertThat(files()).containsExactly("it's.parquet");
        try (DuckDb db = DuckDb.forFiles(List.of(), folder.resolve("db"))) {
            assertThat(db.rows("SELECT *, typeof(n) FROM " + DuckDb.text(out.toString())))
                    .containsExactly(
                            List.of("t0", "0.5", "DOUBLE"),
                            List.of("t1", "1.5", "DOUBLE"),
                            List.of("t2", "2.5", "DOUBLE"));
            assertThat(db.rows("SELECT \"a \"\"b\"\"\" FROM " + DuckDb.text(out.toString())))
                    .hasSize(3);
        }
    }

    @Test
    void aRowOfOtherColumnsShouldLeaveNothing() throws Exception {
        Path out = folder.resolve("out.parquet");
        assertThatThrownBy(
                        () -> {
                            try (RowsFile rows = RowsFile.parquet(Map.of("n", true), out)) {
                                rows.add(1.0);
                                rows.add("x");
                                rows.finish();
                            }
                        })
                .isInstanceOf(IOException.class);
        assertThat(files()).isEmpty();
    }

    /** As where a log's file is given up since it cannot be written. */
    @Test
    void aFileThatCannotBeWrittenShouldBeGivenUpWithItsReason() throws Exception {
        Path out = Files.createDirectories(folder.resolve("out.parquet"));
        RowsFile rows = RowsFile.parquet(Map.of("n", true), out);
        rows.add(1.0);
        assertThatThrownBy(rows::finish)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("out.parquet");
        rows.close();
        assertThat(files()).containsExactly("out.parquet");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
