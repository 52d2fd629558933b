package dev.medley.data.table.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
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

    /** A macro in the engine's own catalog, which is nobody's, shows which engine it is. */
    private static boolean isMarked(DuckDb db) throws Exception {
        String sql = "SELECT count(*) FROM duckdb_functions() WHERE function_name = 'mark'";
        boolean was = db.longs(sql)[0] > 0;
        db.execute("CREATE OR REPLACE MACRO memory.main.mark() AS 1");
        return was;
    }

    @Test
    void anEngineShouldServeOneAfterAnotherAndKeepNothingOfThem() throws Exception {
        Path parts = Files.createDirectories(folder.resolve("parts"));
        Path file = parts.resolve("rows.parquet");
        try (DuckDb db = DuckDb.pooled(folder)) {
            isMarked(db);
            db.execute("CREATE TABLE t AS SELECT 1 AS a");
            db.execute("PRAGMA disable_optimizer");
            db.execute("COPY (SELECT 7 AS a) TO " + DuckDb.path(file));
            assertThat(db.longs("SELECT a FROM read_parquet(" + DuckDb.path(file) + ")"))
                    .containsExactly(7);
        }
        FileTime stamp = Files.getLastModifiedTime(file);
        try (DuckDb db = DuckDb.pooled(folder);
                DuckDb other = DuckDb.pooled(folder.resolve("other"))) {
            assertThat(isMarked(db)).as("the same engine").isTrue();
            assertThatThrownBy(() -> db.rows("FROM t")).hasMessageContaining("does not exist");
            db.execute("COPY (SELECT 8 AS a) TO " + DuckDb.path(file));
            Files.setLastModifiedTime(file, stamp);
            assertThat(db.longs("SELECT a FROM read_parquet(" + DuckDb.path(file) + ")"))
                    .as("a file that took the other's name")
                    .containsExactly(8);
            db.execute("CREATE TABLE t AS SELECT 2 AS a");
            other.execute("CREATE TABLE t AS SELECT 3 AS a");
            assertThat(db.longs("SELECT a FROM t")).containsExactly(2);
            assertThat(db.rows("SELECT current_setting('TimeZone')").get(0)).containsExactly("UTC");
        }
        assertThat(folder.resolve("duckdb")).doesNotExist();
    }

    @Test
    void anEngineThatPutRowsOnTheDiskShouldServeNobodyElse() throws Exception {
        for (int i = 0; i < 2; i++) {
            try (DuckDb db = DuckDb.pooled(folder.resolve("to" + i))) {
                isMarked(db);
                db.execute("SET memory_limit = '20MB'");
                db.execute("CREATE TABLE t AS SELECT hash(range) AS a FROM range(4000000)");
                assertThat(db.scratch()).isNotEmptyDirectory();
            }
            assertThat(folder.resolve("to" + i)).isEmptyDirectory();
            try (DuckDb db = DuckDb.pooled(folder.resolve("next"))) {
                assertThat(db.rows("SELECT current_setting('memory_limit')").get(0).get(0))
                        .isNotEqualTo("19.0 MiB");
            }
        }
    }

    /** One that is not streamed does not fit memory. */
    @Test
    void resultsShouldBeStreamedByBoth() throws Exception {
        for (DuckDb each :
                List.of(
                        DuckDb.forFiles(List.of(), folder.resolve("a")),
                        DuckDb.pooled(folder.resolve("b")))) {
            try (DuckDb db = each;
                    var statement = db.connection().createStatement();
                    var result = statement.executeQuery("FROM range(1000000000000)")) {
                assertThat(result.next()).isTrue();
            }
        }
    }
}
