package dev.medley.connect.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.connect.Secret;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.schema.SchemaMode;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.Synced;
import dev.medley.connect.table.SyncStart;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where rows come from, what a cursor can miss, and values that only some databases have. */
@Tag("unit")
class JdbcPlacesTest {
    private static final String H2 = "jdbc:h2:mem:places";

    @TempDir private Path folder;
    private Connection connection;
    private Synced synced;

    @BeforeEach
    void begin() throws SQLException {
        connection = DriverManager.getConnection(H2);
        synced = new Synced(folder.resolve("t"));
    }

    @AfterEach
    void end() throws SQLException {
        sql("SHUTDOWN");
    }

    @Test
    void shouldReadAllRowsOfAnotherDatabaseOfTheSameName() throws Exception {
        for (String schema : List.of("ONE", "TWO")) {
            sql("CREATE SCHEMA " + schema);
            sql("CREATE TABLE " + schema + ".T (ID INT PRIMARY KEY, V VARCHAR, AT BIGINT)");
        }
        sql("INSERT INTO ONE.T VALUES (1, 'one', 100)");
        sql("INSERT INTO TWO.T VALUES (1, 'two', 5), (2, 'two', 6)");
        JdbcSource one = source(H2 + ";SCHEMA=ONE");
        JdbcSource two = source(H2 + ";SCHEMA=TWO");
        synced.sync(one);
        SyncReport report = synced.sync(two);
        assertThat(report.why()).contains("another database");
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 two 5", "2 two 6");
        assertThat(synced.sync(two).readAll()).isFalse();
        assertThat(Json.line(new SnapshotFolder(folder.resolve("t")).requireManifest().position()))
                .doesNotContain("SCHEMA");
    }

    @Test
    void shouldFindMissedRowsWhereTheContractLeavesOthersOut() throws Exception {
        SchemaContract leavesOut =
                new SchemaContract(
                        SchemaMode.DISCARD_ROW,
                        SchemaMode.FREEZE,
                        SchemaMode.EVOLVE,
                        SchemaMode.EVOLVE,
                        SchemaMode.FREEZE,
                        SchemaMode.FREEZE,
                        SchemaMode.EVOLVE);
        synced = new Synced(folder.resolve("t"), leavesOut);
        sql("CREATE TABLE T (ID INT PRIMARY KEY, AT BIGINT)");
        sql("INSERT INTO T VALUES (1, 100), (2, 100), (3, 100)");
        JdbcSource source = source(H2);
        synced.sync(source);
        sql("ALTER TABLE T ADD W VARCHAR");
        sql("UPDATE T SET W = 'x', AT = 200 WHERE ID = 2");
        assertThat(synced.sync(source).droppedRows()).isEqualTo(1);
        SyncReport again = synced.sync(source);
        assertThat(again.readAll()).as(again.why()).isFalse();
        sql("INSERT INTO T VALUES (4, 50, NULL)");
        SyncReport report = synced.sync(source);
        assertThat(report.readAll()).as(report.why()).isTrue();
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 100", "3 100", "4 50");
        sql("UPDATE T SET W = 'x', AT = 300 WHERE ID = 1");
        assertThat(synced.sync(source).readAll()).isFalse();
        assertThat(synced.sync(source).readAll()).isFalse();
        assertThat(synced.rows()).containsExactlyInAnyOrder("3 100", "4 50");
        sql("UPDATE T SET W = NULL, AT = 400 WHERE ID = 2");
        sql("DELETE FROM T WHERE ID = 1");
        sql("INSERT INTO T VALUES (5, 50, NULL)");
        synced.sync(source);
        assertThat(synced.rows()).containsExactlyInAnyOrder("2 400", "3 100", "4 50", "5 50");
        assertThat(synced.reconcile(source).isEqual()).isTrue();
    }

    /** When clocks go back, 02:10 comes after 02:50. */
    @Test
    void shouldNotLoseTheHourThatComesTwice() throws Exception {
        sql("CREATE TABLE T (ID INT PRIMARY KEY, AT TIMESTAMP)");
        sql("INSERT INTO T VALUES (1, TIMESTAMP '2026-10-25 02:50:00')");
        JdbcSource source = source(H2);
        synced.sync(source);
        sql("UPDATE T SET AT = TIMESTAMP '2026-10-25 02:10:00' WHERE ID = 1");
        SyncReport report = synced.sync(source);
        assertThat(report.readAll()).isFalse();
        assertThat(report.difference().changed()).isEqualTo(1);
    }

    @Test
    void shouldKeepInfiniteValuesOfAnotherDatabase() throws Exception {
        String url = "jdbc:duckdb:" + folder.resolve("other.db");
        try (Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            statement.execute(
                    "CREATE TABLE t AS SELECT 1 AS id, DATE 'infinity' AS d, TIMESTAMP '-infinity'"
                        + " AS t, TIMESTAMPTZ 'infinity' AS z, 'NaN'::DOUBLE AS f, DATE '0044-03-15"
                        + " (BC)' AS b UNION ALL SELECT 2, DATE '-infinity', TIMESTAMP 'infinity',"
                        + " TIMESTAMPTZ '-infinity', '-inf'::DOUBLE, NULL");
        }
        synced.sync(
                new JdbcSource(
                        new JdbcOptions(url, null, null, "t", List.of("id"), null, 0, 1, 1),
                        name -> null));
        String latest = String.valueOf(Long.MAX_VALUE);
        String earliest = String.valueOf(Long.MIN_VALUE);
        assertThat(synced.rows())
                .containsExactlyInAnyOrder(
                        "1 %s %s %s NaN -735160".formatted(latest, earliest, latest),
                        "2 %s %s %s -Infinity -".formatted(earliest, latest, earliest));
    }

    @Test
    void shouldGiveUpAServerThatNeverAnswers() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
            JdbcOptions options =
                    options("jdbc:h2:tcp://127.0.0.1:%d/mem:x".formatted(silent.getLocalPort()));
            JdbcSource source = new JdbcSource(options, name -> null, Duration.ofMillis(200));
            assertThatThrownBy(() -> source.open(SyncStart.FIRST))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no connection within");
        }
    }

    @Test
    void shouldNotRepeatThePasswordThatADriverSays() throws Exception {
        Driver telling = new Telling();
        DriverManager.registerDriver(telling);
        try {
            JdbcOptions options =
                    new JdbcOptions(
                            "jdbc:telling:x",
                            "me",
                            new Secret("env:P"),
                            "T",
                            List.of(),
                            null,
                            0,
                            1,
                            1);
            assertThatThrownBy(() -> new JdbcSource(options, n -> "hu/s@h?").open(SyncStart.FIRST))
                    .hasMessageContaining("password=…")
                    .hasStackTraceContaining("password=…")
                    .satisfies(
                            e -> {
                                for (Throwable t = e; t != null; t = t.getCause()) {
                                    assertThat(t.getMessage()).doesNotContain("hu/s@h?");
                                }
                            });
        } finally {
            DriverManager.deregisterDriver(telling);
        }
    }

    /** A driver that says its settings when it fails. */
    private static final class Telling implements Driver {
        @Override
        public @Nullable Connection connect(String url, Properties info) throws SQLException {
            if (!acceptsURL(url)) {
                return null;
            }
            throw new SQLException("cannot connect with " + info, "08001");
        }

        @Override
        public boolean acceptsURL(String url) {
            return url.startsWith("jdbc:telling:");
        }

        @Override
        public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
            return new DriverPropertyInfo[0];
        }

        @Override
        public int getMajorVersion() {
            return 1;
        }

        @Override
        public int getMinorVersion() {
            return 0;
        }

        @Override
        public boolean jdbcCompliant() {
            return false;
        }

        @Override
        public Logger getParentLogger() {
            return Logger.getGlobal();
        }
    }

    private static JdbcOptions options(String url) {
        return new JdbcOptions(url, null, null, "T", List.of("ID"), "AT", 10, 1, 100);
    }

    private static JdbcSource source(String url) {
        return new JdbcSource(options(url), name -> null);
    }

    private void sql(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The driver is found in a jar of the user's, apart from the program's classes. */
    @Test
    void aDriverShouldBeFoundInItsJar() throws Exception {
        Path jar =
                Path.of(
                        org.h2.Driver.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toURI());
        JdbcOptions options = ofJar("jdbc:h2:mem:of-a-jar", jar);
        assertThat(JdbcDrivers.of(options).getClass()).isNotEqualTo(org.h2.Driver.class);
        assertThat(JdbcDrivers.of(options).getClass().getName()).isEqualTo("org.h2.Driver");
        assertThatThrownBy(() -> JdbcDrivers.of(ofJar("jdbc:none:x", jar)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("takes this url; there are org.h2.Driver");
        assertThatThrownBy(() -> JdbcDrivers.of(ofJar("jdbc:none:x", Path.of("none.jar"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("none.jar: there is no such jar");
    }

    private static JdbcOptions ofJar(String url, Path jar) {
        return new JdbcOptions(url, null, null, "t", List.of("id"), null, 0, 1, 1, List.of(jar));
    }
}
