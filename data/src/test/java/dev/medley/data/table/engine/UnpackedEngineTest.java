package dev.medley.data.table.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What DuckDB unpacks is gone while it still works. */
@Tag("real")
class UnpackedEngineTest {
    @TempDir Path folder;

    @Test
    void nothingShouldLieInTheTemporaryFolderWhileTheEngineWorks() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/maps")), "skipped: only on Linux");
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        Path left = temporary.resolve("libduckdb_java1" + ProcessHandle.current().pid() + ".so");
        Files.writeString(left, "left by a process that was killed");
        Files.setLastModifiedTime(left, FileTime.fromMillis(0));
        Path young = temporary.resolve("libduckdb_java2" + ProcessHandle.current().pid() + ".so");
        Files.writeString(young, "another process unpacks it");
        try (DuckDb db = DuckDb.forFiles(List.of(), folder)) {
            assertThat(db.longs("SELECT 42")).containsExactly(42);
            try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                List<String> mapped =
                        maps.filter(line -> line.contains("libduckdb_java")).distinct().toList();
                assertThat(mapped).isNotEmpty().allMatch(line -> line.endsWith("(deleted)"));
            }
            UnpackedEngine.remove();
            assertThat(db.longs("SELECT 43")).containsExactly(43);
        }
        assertThat(left).doesNotExist();
        assertThat(Files.deleteIfExists(young)).isTrue();
    }
}
