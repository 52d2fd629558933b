package dev.medley.data.table.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TimeZone;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine says the same on every machine, and leaves nothing behind. */
@Tag("unit")
class DuckDbTest {
    @TempDir Path folder;

    @Test
    void timesShouldNotDependOnTheMachinesZone() throws Exception {
        TimeZone own = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kolkata"));
        try (DuckDb db = DuckDb.forFiles(List.of(), folder)) {
            assertThat(db.rows("SELECT '2024-01-01 00:00:00+05:30'::TIMESTAMPTZ::VARCHAR"))
                    .containsExactly(List.of("2023-12-31 18:30:00+00"));
            // Its own default has the machine's name for it, as Etc/UTC.
            assertThat(db.rows("SELECT current_setting('TimeZone')"))
                    .containsExactly(List.of("UTC"));
        } finally {
            TimeZone.setDefault(own);
        }
    }

    @Test
    void whatAKilledProcessLeftShouldGoAndNothingShouldStay() throws Exception {
        Path left = Files.createDirectories(folder.resolve("duckdb/old")).resolve("rows");
        Files.writeString(left, "rows");
        try (DuckDb db = DuckDb.forFiles(List.of(), folder)) {
            assertThat(left).doesNotExist();
            assertThat(db.scratch()).isEmptyDirectory();
        }
        assertThat(folder).isEmptyDirectory();
    }

    /** Packed files count by what they unpack to. */
    @Test
    void largeFilesShouldBeHeldOnDisk() throws Exception {
        Path small = Files.writeString(folder.resolve("small.csv"), "a\n1\n");
        Path large = folder.resolve("large.csv");
        try (var file = new java.io.RandomAccessFile(large.toFile(), "rw")) {
            file.setLength((256L << 20) + 1);
        }
        try (DuckDb db = DuckDb.forFiles(List.of(small), folder)) {
            assertThat(db.scratch()).isEmptyDirectory();
        }
        try (DuckDb db = DuckDb.forFiles(List.of(small, large), folder)) {
            assertThat(db.scratch().resolve("rows.db")).exists();
        }
        Path packed = folder.resolve("packed.csv.gz");
        try (var file = new java.io.RandomAccessFile(packed.toFile(), "rw")) {
            file.write(new byte[] {0x1f, (byte) 0x8b, 8});
            file.setLength(44L << 20);
        }
        try (DuckDb db = DuckDb.forFiles(List.of(packed), folder)) {
            assertThat(db.scratch().resolve("rows.db")).exists();
        }
    }

    @Test
    void statementsShouldRunAsTheyStandAndOthersNot() throws Exception {
        String plan = "EXPLAIN SELECT 1 + 1 + range FROM range(9) WHERE range > 1 AND 1 = 1";
        try (DuckDb db = DuckDb.forFiles(List.of(), folder)) {
            String before = db.rows(plan).toString();
            String[] plainly = new String[1];
            db.plainly(() -> plainly[0] = db.rows(plan).toString());
            assertThat(plainly[0]).isNotEqualTo(before);
            assertThat(db.rows(plan)).asString().isEqualTo(before);
            assertThatThrownBy(() -> db.plainly(() -> db.execute("nothing")))
                    .isInstanceOf(java.sql.SQLException.class);
            assertThat(db.rows(plan)).asString().isEqualTo(before);
        }
    }

    @Test
    void pathsShouldBeNoPatterns() throws Exception {
        Path odd = Files.writeString(folder.resolve("a[1]*'.csv"), "n\n7\n");
        Files.writeString(folder.resolve("a1b'.csv"), "n\n8\n");
        try (DuckDb db = DuckDb.forFiles(List.of(odd), folder.resolve("db"))) {
            assertThat(db.rows("SELECT n FROM read_csv(" + DuckDb.path(odd) + ")"))
                    .containsExactly(List.of("7"));
        }
        assertThat(DuckDb.path(folder.resolve("a\\b.csv"))).contains("a\\b.csv");
        assertThatThrownBy(() -> DuckDb.path(folder.resolve("a\\b*.csv")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a backslash");
    }
}
