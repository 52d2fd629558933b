package dev.medley.loop.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("property")
class AsOfJoinTest {
    private static final int CASES = 60;

    private record Row(int key, int at) {}

    private record Version(int key, int at, int known, int value) {
        /** One in four says that its row is gone. */
        boolean isGone() {
            return value % 4 == 0;
        }
    }

    private Connection connection;

    @BeforeEach
    void open() throws SQLException {
        connection = DriverManager.getConnection("jdbc:duckdb:");
        run("SET TimeZone = 'UTC'");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void shouldSeeWhatALookAtEveryRowSees() throws Exception {
        for (int seed = 0; seed < CASES; seed++) {
            RandomGenerator random = Seeds.generator(seed);
            List<Row> rows = rows(random);
            List<Version> versions = versions(random);
            @Nullable Integer ttlDays = random.nextBoolean() ? random.nextInt(10) : null;
            run("CREATE OR REPLACE TABLE l (k INTEGER, t TIMESTAMP)");
            for (Row row : rows) {
                run(
                        "INSERT INTO l VALUES (%s, TIMESTAMP '2026-01-01' + INTERVAL %d DAY)"
                                .formatted(row.key() < 0 ? "NULL" : row.key(), row.at()));
            }
            run(
                    "CREATE OR REPLACE TABLE f (k INTEGER, happened TIMESTAMP, _known_at"
                            + " TIMESTAMPTZ, v INTEGER, _deleted BOOLEAN)");
            for (Version v : versions) {
                run(
                        ("INSERT INTO f VALUES (%d, TIMESTAMP '2026-01-01' + INTERVAL %d DAY,"
                             + " TIMESTAMPTZ '2026-01-01 00:00:00+00' + INTERVAL %d DAY, %d, %s)")
                                .formatted(v.key(), v.at(), v.known(), v.value(), v.isGone()));
            }
            FeatureTable feature =
                    new FeatureTable(
                            "f",
                            1,
                            "SELECT * FROM f",
                            List.of("k"),
                            "happened",
                            FeatureTable.KNOWN,
                            ttlDays == null ? null : Duration.ofDays(ttlDays));
            new AsOfJoin(connection, "l", "t").join(List.of(feature), "joined");
            assertThat(values("SELECT v FROM joined"))
                    .as("seed %d, rows %s, versions %s, ttl %s", seed, rows, versions, ttlDays)
                    .isEqualTo(rows.stream().map(r -> seen(r, versions, ttlDays)).toList());
        }
    }

    @Test
    void aBackfillShouldNotBeSeenBeforeItWasKnown() throws Exception {
        run("CREATE TABLE l AS SELECT 1 AS k, TIMESTAMP '2026-02-01' AS t");
        run(
                "CREATE TABLE f AS SELECT 1 AS k, TIMESTAMP '2026-01-01' AS happened, TIMESTAMP"
                        + " '2026-01-02' AS _known_at, 'old' AS v");
        FeatureTable f = feature("f", "SELECT * FROM f");
        AsOfJoin join = new AsOfJoin(connection, "l", "t");
        join.join(List.of(f), "before");
        run(
                "INSERT INTO f VALUES (1, TIMESTAMP '2026-01-20', TIMESTAMP '2026-03-01',"
                        + " 'backfilled')");
        join.join(List.of(f), "after");
        assertThat(values("SELECT v FROM after")).isEqualTo(values("SELECT v FROM before"));
    }

    @Test
    void whatWasThereBeforeAnybodyLookedShouldCountAsKnownWhenItHappened() throws Exception {
        run("CREATE TABLE l AS SELECT 1 AS k, TIMESTAMP '2026-02-01' AS t");
        run(
                "CREATE TABLE f AS SELECT 1 AS k, TIMESTAMP '2026-01-01' AS happened,"
                        + " NULL::TIMESTAMP AS _known_at, 'old' AS v");
        new AsOfJoin(connection, "l", "t").join(List.of(feature("f", "SELECT * FROM f")), "out");
        assertThat(values("SELECT v FROM out")).containsExactly("old");
    }

    @Test
    void aRowThatIsGoneShouldCountUntilThatIsKnown() throws Exception {
        run(
                "CREATE TABLE l AS SELECT 1 AS k, TIMESTAMP '2026-01-01' + INTERVAL (d) DAY AS t"
                        + " FROM range(5, 40, 5) r(d)");
        // The row of January 10 is gone from the 20th on, that of the 4th stays.
        run(
                "CREATE TABLE f_history AS SELECT * FROM (VALUES (1, TIMESTAMP '2026-01-04',"
                    + " TIMESTAMP '2026-01-04', false, 'a'), (1, TIMESTAMP '2026-01-10', TIMESTAMP"
                    + " '2026-01-10', false, 'b'), (1, TIMESTAMP '2026-01-10', TIMESTAMP"
                    + " '2026-01-20', true, NULL)) t(k, happened, _known_at, _deleted, v)");
        AsOfJoin join = new AsOfJoin(connection, "l", "t");
        join.join(List.of(feature("f", "SELECT * FROM f_history")), "o");
        assertThat(values("SELECT v FROM o")).containsExactly("a", "b", "b", "a", "a", "a", "a");
        // Of a table with one row a key nobody knows when it was so: all is gone, until it comes
        // again.
        run(
                "INSERT INTO f_history VALUES (1, NULL, TIMESTAMP '2026-01-24', true, NULL), (1,"
                        + " TIMESTAMP '2026-02-02', TIMESTAMP '2026-02-02', false, 'c')");
        join.join(List.of(feature("f", "SELECT * FROM f_history")), "o");
        assertThat(values("SELECT v FROM o"))
                .containsExactly("a", "b", "b", "a", "none", "none", "c");
        join.join(List.of(feature("f", "SELECT * FROM f_history WHERE NOT _deleted")), "o");
        assertThat(values("SELECT v FROM o")).containsExactly("a", "b", "b", "b", "b", "b", "c");
        assertThatThrownBy(
                        () ->
                                join.join(
                                        List.of(
                                                feature(
                                                        "f",
                                                        "SELECT k, happened, _known_at, v FROM"
                                                                + " f_history")),
                                        "o"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("add _deleted to its columns")
                .hasMessageContaining("or WHERE NOT _deleted");
    }

    @Test
    void aRowThatIsGoneShouldSayWhoseItWas() throws Exception {
        run("CREATE TABLE l AS SELECT 1 AS k, TIMESTAMP '2026-01-30' AS t");
        // The source's key is another: of a row that is gone there is that alone.
        run(
                "CREATE TABLE f_history AS SELECT * FROM (VALUES (7, 1, TIMESTAMP '2026-01-04',"
                        + " TIMESTAMP '2026-01-04', false, 'a'), (7, NULL, NULL, TIMESTAMP"
                        + " '2026-01-20', true, NULL)) t(id, k, happened, _known_at, _deleted, v)");
        AsOfJoin join = new AsOfJoin(connection, "l", "t");
        String sql = "SELECT k, happened, _known_at, _deleted, v FROM f_history";
        assertThatThrownBy(() -> join.join(List.of(feature("f", sql)), "o"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("features.f: of 1 rows that are gone it is not known whose")
                .hasMessageContaining("take k into the source's key");
        join.join(List.of(feature("f", sql + " WHERE NOT _deleted")), "o");
        assertThat(values("SELECT v FROM o")).containsExactly("a");
    }

    @Test
    void whatCannotBeAnsweredShouldBeSaid() throws Exception {
        run("CREATE TABLE l AS SELECT 1 AS k, TIMESTAMP '2026-02-01' AS t");
        run(
                "CREATE TABLE f AS SELECT 1 AS k, TIMESTAMP '2026-01-01' AS happened, TIMESTAMP"
                        + " '2026-01-02' AS _known_at, unnest([1, 2]) AS v");
        AsOfJoin join = new AsOfJoin(connection, "l", "t");
        assertThatThrownBy(() -> join.join(List.of(feature("f", "SELECT * FROM f")), "out"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(
                        "features.f: 2 rows have one key and both times: k=1 at 2026-01-01");
        assertThatThrownBy(
                        () ->
                                join.join(
                                        List.of(feature("f", "SELECT k, happened, v FROM f")),
                                        "out"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("a backfill would leak the future");
        assertThatThrownBy(() -> join.join(List.of(feature("f", "SELECT * FROM nothing")), "out"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("features.f: ")
                .hasMessageContaining("nothing");
        FeatureTable one =
                feature("f", "SELECT k, happened, _known_at, max(v) AS v FROM f GROUP BY ALL");
        assertThatThrownBy(() -> join.join(List.of(one, feature("g", one.sql())), "out"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("features.g: column 'v' is there already");
    }

    private static FeatureTable feature(String name, String sql) {
        return new FeatureTable(name, 1, sql, List.of("k"), "happened", FeatureTable.KNOWN, null);
    }

    private static List<Row> rows(RandomGenerator random) {
        List<Row> rows = new ArrayList<>();
        for (int i = random.nextInt(12); i >= 0; i--) {
            rows.add(new Row(random.nextInt(4) - 1, random.nextInt(20)));
        }
        return rows;
    }

    private static List<Version> versions(RandomGenerator random) {
        List<Version> versions = new ArrayList<>();
        for (int i = random.nextInt(30); i > 0; i--) {
            Version v = new Version(random.nextInt(3), random.nextInt(15), random.nextInt(20), i);
            boolean isNew =
                    versions.stream()
                            .noneMatch(
                                    o ->
                                            o.key() == v.key()
                                                    && o.at() == v.at()
                                                    && o.known() == v.known());
            if (isNew) {
                versions.add(v);
            }
        }
        return versions;
    }

    private static String seen(Row row, List<Version> versions, @Nullable Integer ttlDays) {
        Map<Integer, Version> latest = new TreeMap<>(Comparator.reverseOrder());
        versions.stream()
                .filter(v -> v.key() == row.key() && v.at() <= row.at() && v.known() <= row.at())
                .sorted(Comparator.comparingInt(Version::known))
                .forEach(v -> latest.put(v.at(), v));
        return latest.values().stream()
                .filter(v -> !v.isGone())
                .findFirst()
                .filter(v -> ttlDays == null || row.at() - v.at() <= ttlDays)
                .map(v -> Integer.toString(v.value()))
                .orElse("none");
    }

    private void run(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> values(String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                String value = rows.getString(1);
                values.add(value == null ? "none" : value);
            }
        }
        return values;
    }
}
