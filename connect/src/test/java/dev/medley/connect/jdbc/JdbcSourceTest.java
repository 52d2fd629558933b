package dev.medley.connect.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.Synced;
import dev.medley.connect.table.SyncStart;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JdbcSourceTest {
    private static final String H2 = "jdbc:h2:mem:source";
    private static final long SECOND_MICROS = 1_000_000;

    /** More than a batch has. */
    private static final int MOST_ROWS = 3000;

    @TempDir private Path folder;
    private Connection connection;
    private Synced synced;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    /** Each overlap of four, and one more. */
    static LongStream someSeeds() {
        return LongStream.range(0, Math.max(4, Long.getLong("medley.seeds", 15) / 3));
    }

    @BeforeEach
    void begin() throws SQLException {
        connection = DriverManager.getConnection(H2);
        synced = new Synced(folder);
    }

    @AfterEach
    void end() throws SQLException {
        sql("SHUTDOWN");
    }

    @Test
    @Tag("unit")
    void shouldReadFromTheCursorLessTheOverlap() throws Exception {
        sql("CREATE TABLE T (ID INT PRIMARY KEY, V VARCHAR, AT TIMESTAMP)");
        sql("INSERT INTO T VALUES (1, 'a', TIMESTAMP '2026-01-01 00:00:00')");
        sql("INSERT INTO T VALUES (2, 'b', TIMESTAMP '2026-01-01 00:01:00'), (3, 'c', NULL)");
        JdbcSource source = source("AT", 10 * SECOND_MICROS, 1, 100);
        synced.sync(source);
        sql("INSERT INTO T VALUES (4, 'late', TIMESTAMP '2026-01-01 00:00:55')");
        sql("UPDATE T SET V = 'C' WHERE ID = 3");
        sql("DELETE FROM T WHERE ID = 1");
        SyncReport report = synced.sync(source);
        assertThat(report.readAll()).isFalse();
        assertThat(report.rowsRead()).isEqualTo(3);
        assertThat(synced.rows())
                .containsExactlyInAnyOrder(
                        "2 b 1767225660000000", "3 C -", "4 late 1767225655000000");
        assertThat(synced.reconcile(source).isEqual()).isTrue();
    }

    @Test
    @Tag("unit")
    void shouldFindMissedInsertsByTheirKeysAndMissedUpdatesByReconciling() throws Exception {
        sql("CREATE TABLE T (ID INT PRIMARY KEY, V VARCHAR, AT BIGINT)");
        sql("INSERT INTO T VALUES (1, 'a', 100), (2, 'b', 200)");
        JdbcSource source = source("AT", 10, 1, 3);
        synced.sync(source);
        sql("INSERT INTO T VALUES (3, 'later than the overlap', 50)");
        assertThat(synced.sync(source).readAll()).isTrue();
        sql("UPDATE T SET V = 'unnoticed' WHERE ID = 1");
        assertThat(synced.sync(source).readAll()).isFalse();
        assertThat(synced.reconcile(source).words())
                .contains("1 rows differ: ID=1 has other values");
        synced.sync(source);
        assertThat(synced.sync(source).difference().changed() + 0L).isBetween(0L, 1L);
        assertThat(synced.reconcile(source).isEqual()).isTrue();
    }

    @Test
    @Tag("unit")
    void shouldKeepValuesOfEachKind() throws Exception {
        sql(
                "CREATE TABLE T (ID INT PRIMARY KEY, B BOOLEAN, N NUMERIC(30, 10), F REAL, D DATE,"
                        + " TS TIMESTAMP(6), TZ TIMESTAMP(6) WITH TIME ZONE, Y VARBINARY, C CLOB,"
                        + " U UUID, TM TIME)");
        sql(
                "INSERT INTO T VALUES (1, TRUE, 1.5, 0.1, DATE '-4712-01-01', TIMESTAMP"
                        + " '1969-12-31 23:59:59.999999', TIMESTAMP WITH TIME ZONE '1970-01-01"
                        + " 01:00:00+01', X'00FF', 'é😀', UUID"
                        + " 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', TIME '10:00:00')");
        sql("INSERT INTO T (ID) VALUES (2)");
        synced.sync(source(null, 0, 1, 1));
        assertThat(synced.rows())
                .containsExactlyInAnyOrder(
                        "1 1 1.5000000000 0.10000000149011612 -2440550 -1 0 00ff é😀"
                                + " a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 10:00:00",
                        "2 - - - - - - - - - -");
    }

    @Test
    @Tag("unit")
    void shouldRefuseTimesThatDoNotFit() throws Exception {
        sql("CREATE TABLE T (ID INT PRIMARY KEY, TS TIMESTAMP(9))");
        sql("INSERT INTO T VALUES (1, TIMESTAMP '2026-01-01 00:00:00.000000001')");
        assertThatThrownBy(() -> synced.sync(source(null, 0, 1, 1)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("microseconds");
    }

    @Test
    @Tag("unit")
    void shouldSayWhatTheUserHasToChange() throws Exception {
        sql("CREATE TABLE T (ID INT PRIMARY KEY, V VARCHAR)");
        assertThatThrownBy(() -> source("W", 0, 1, 1).open(SyncStart.FIRST))
                .hasMessageContaining("no cursor column 'W'");
        assertThatThrownBy(() -> source("V", 0, 1, 1).open(SyncStart.FIRST))
                .hasMessageContaining("cursor 'V' holds TEXT");
        assertThatThrownBy(
                        () ->
                                new JdbcOptions(
                                        H2 + ";PASSWORD=hush",
                                        null,
                                        null,
                                        "T",
                                        List.of(),
                                        null,
                                        0,
                                        1,
                                        1))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("hush");
        JdbcOptions none =
                new JdbcOptions("jdbc:none:x", null, null, "T", List.of(), null, 0, 1, 1);
        assertThatThrownBy(() -> new JdbcSource(none, name -> null).open(SyncStart.FIRST))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no driver");
        JdbcOptions table = new JdbcOptions(H2, null, null, "U", List.of(), null, 0, 1, 1);
        assertThatThrownBy(() -> new JdbcSource(table, name -> null).open(SyncStart.FIRST))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("U cannot be read");
    }

    @Test
    @Tag("unit")
    void shouldReadAnotherDatabaseAsWell() throws Exception {
        String url = "jdbc:duckdb:" + folder.resolve("other.db");
        try (Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            statement.execute("CREATE TABLE t (id BIGINT, seen TIMESTAMP, x DOUBLE)");
            statement.execute(
                    "INSERT INTO t SELECT i, TIMESTAMP '2026-01-01', i / 2 FROM range(5000) r(i)");
        }
        JdbcOptions options =
                new JdbcOptions(url, null, null, "t", List.of("id"), "seen", 0, 1, 100);
        JdbcSource source = new JdbcSource(options, name -> null);
        synced = new Synced(folder.resolve("snapshot"));
        assertThat(synced.sync(source).difference().added()).isEqualTo(5_000);
        assertThat(synced.sync(source).rowsRead()).isEqualTo(5_000);
        assertThat(synced.reconcile(source).isEqual()).isTrue();
    }

    /** Cursors that many rows share, over more rows than a batch. */
    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldLoseNothingWithinTheOverlap(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        sql("CREATE TABLE T (ID INT PRIMARY KEY, V INT, AT BIGINT)");
        sql(
                "INSERT INTO T SELECT X, 0, 0 FROM SYSTEM_RANGE(1, "
                        + (1 + random.nextInt(MOST_ROWS))
                        + ")");
        int overlap = random.nextInt(4);
        JdbcSource source = source("AT", overlap, 1, 1000);
        for (int now = 1; now < 12; now++) {
            int at = Math.max(0, now - random.nextInt(overlap + 1));
            int id = random.nextInt(MOST_ROWS);
            switch (random.nextInt(4)) {
                case 0 -> sql("DELETE FROM T WHERE ID % 97 = " + id % 97);
                case 1 -> sql("MERGE INTO T VALUES (%d, %d, %d)".formatted(id, now, at));
                default -> sql("UPDATE T SET V = V + 1, AT = %d WHERE ID > %d".formatted(at, id));
            }
            if (random.nextInt(3) == 0) {
                synced.sync(source);
                assertThat(synced.reconcile(source).isEqual()).as("at %d", now).isTrue();
            }
        }
    }

    /**
     * Rows get their stamp when a transaction writes them and are seen when it commits, up to the
     * overlap later, behind rows of later stamps and at stamps that were read before. Nothing else
     * than the cursor tells of them.
     */
    @ParameterizedTest
    @MethodSource("someSeeds")
    @Tag("property")
    void shouldSeeWhatCommitsUpToTheOverlapAfterItsStamp(long seed) throws Exception {
        RandomGenerator random = Seeds.generator(seed);
        sql("CREATE TABLE T (ID INT PRIMARY KEY, V INT, AT BIGINT)");
        sql("INSERT INTO T SELECT X, 0, 0 FROM SYSTEM_RANGE(1, 20)");
        int overlap = (int) (seed % 4);
        JdbcSource source = source("AT", overlap, 1000, 1000);
        Map<Integer, List<String>> commits = new HashMap<>();
        synced.sync(source);
        for (int now = 1; now < 8; now++) {
            for (int id = 100 * now; id < 100 * now + 6; id++) {
                String write =
                        random.nextBoolean()
                                ? "INSERT INTO T VALUES (%d, 0, %d)".formatted(id, now)
                                : "UPDATE T SET V = %d, AT = %d WHERE ID = %d"
                                        .formatted(id, now, 1 + random.nextInt(20));
                int at = now + random.nextInt(overlap + 1);
                commits.computeIfAbsent(at, n -> new ArrayList<>()).add(write);
            }
            boolean isSeen = false; // Of one stamp some have committed, others have not.
            for (String write : commits.getOrDefault(now, List.of())) {
                sql(write);
                if (!isSeen && random.nextInt(3) == 0) {
                    assertThat(synced.sync(source).readAll()).isFalse();
                    isSeen = true;
                }
            }
        }
        assertThat(synced.sync(source).readAll()).isFalse();
        assertThat(synced.reconcile(source).words()).startsWith("source and snapshot are equal");
    }

    private JdbcSource source(@Nullable String cursor, long overlap, int keysEvery, int allEvery) {
        return new JdbcSource(
                new JdbcOptions(
                        H2, null, null, "T", List.of("ID"), cursor, overlap, keysEvery, allEvery),
                name -> null);
    }

    private void sql(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
