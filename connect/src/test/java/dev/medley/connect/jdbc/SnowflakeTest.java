package dev.medley.connect.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.connect.Secret;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.Synced;
import dev.medley.connect.table.Column;
import dev.medley.connect.table.ColumnType;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Snowflake's own driver against fakesnow, in either form of results. */
@Tag("real")
class SnowflakeTest {
    private static final long MINUTE_MICROS = 60_000_000;
    private static @Nullable Process server;
    private static int port;

    @TempDir private Path folder;

    private static Path cache() {
        String named = System.getenv("MEDLEY_WAREHOUSES");
        return named == null
                ? Path.of(System.getProperty("user.home"), ".cache", "medley-warehouses")
                : Path.of(named);
    }

    @BeforeAll
    static void begin() throws IOException {
        Path python = cache().resolve("venv/bin/python");
        Path driver = cache().resolve("snowflake-jdbc.jar");
        Assumptions.assumeTrue(
                Files.isExecutable(python) && Files.isReadable(driver),
                "fakesnow and Snowflake's driver are not there: tools/warehouses/install.sh");
        Process started =
                new ProcessBuilder(python.toString(), "../tools/warehouses/snow.py")
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        server = started;
        BufferedReader said =
                new BufferedReader(
                        new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8));
        String line = said.readLine();
        assertThat(line).as("fakesnow's port").isNotNull().containsOnlyDigits();
        port = Integer.parseInt(line);
    }

    @AfterAll
    static void end() {
        if (server != null) {
            server.destroyForcibly();
        }
    }

    private static JdbcOptions options(String form, String table, String cursor) {
        return new JdbcOptions(
                "jdbc:snowflake://localhost:%d/?db=SALES&schema=PUBLIC&account=a&ssl=off%s"
                        .formatted(port, "&JDBC_QUERY_RESULT_FORMAT=" + form),
                "me",
                new Secret("env:SNOW"),
                table,
                List.of("ID"),
                cursor,
                MINUTE_MICROS,
                1,
                100,
                List.of(cache().resolve("snowflake-jdbc.jar")));
    }

    private static JdbcSource source(JdbcOptions options) {
        return new JdbcSource(options, name -> "right");
    }

    private static void sql(String... all) throws SQLException {
        JdbcOptions options = options("JSON", "T", "CHANGED");
        try (Connection connection =
                        JdbcSession.open(options, name -> "right", Duration.ofMinutes(1));
                Statement statement = connection.createStatement()) {
            for (String one : all) {
                statement.execute(one);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ARROW", "JSON"})
    void shouldKeepValuesOfEachKind(String form) throws Exception {
        sql(
                "CREATE OR REPLACE TABLE SALES.PUBLIC.KINDS (ID NUMBER(38,0), P NUMBER(12,2), F"
                        + " FLOAT, N TIMESTAMP_NTZ, L TIMESTAMP_LTZ, Z TIMESTAMP_TZ, D DATE, B"
                        + " BOOLEAN, V VARCHAR(20), J VARIANT, Y BINARY, \"mixed \"\"Case\" INT)",
                "INSERT INTO SALES.PUBLIC.KINDS SELECT 9223372036854775807, 1.50, 0.1, '2026-03-29"
                    + " 02:30:00.123456'::timestamp_ntz, '2026-03-29 02:30:00'::timestamp_ltz,"
                    + " '2026-03-29 02:30:00 +0200'::timestamp_tz, '2026-03-29'::date, true, 'ä😀',"
                    + " parse_json('{\"a\":1}'), to_binary('00FF', 'HEX'), 7",
                "INSERT INTO SALES.PUBLIC.KINDS (ID, N, Z, D, P) SELECT -1, '1500-02-28"
                        + " 02:30:00'::timestamp_ntz, '1969-12-31 23:59:59.999999"
                        + " +0000'::timestamp_tz, '1500-02-28'::date, -9999999999.99",
                "INSERT INTO SALES.PUBLIC.KINDS (ID) VALUES (3)");
        Synced synced = new Synced(folder);
        JdbcSource source = source(options(form, "SALES.PUBLIC.KINDS", "N"));
        synced.sync(source);
        String none = " -".repeat(11);
        assertThat(synced.rows())
                .containsExactlyInAnyOrder(
                        "9223372036854775807 1.50 0.1 1774751400123456 1774751400000000"
                                + " 1774744200000000 20541 1 ä😀 {\"a\":1} 00ff 7",
                        "-1 -9999999999.99 - -14826749400000000 - -1 -171606" + " -".repeat(5),
                        "3" + none);
        assertThat(types(source))
                .isEqualTo(
                        "INTEGER DECIMAL REAL DATETIME INSTANT INSTANT DATE BOOLEAN TEXT TEXT BYTES"
                                + " INTEGER");
        assertThat(synced.sync(source).readAll()).isFalse();
        assertThat(synced.reconcile(source).isEqual()).isTrue();
    }

    private static String types(JdbcSource source) throws IOException {
        try (TableView view = source.open(SyncStart.FIRST)) {
            return view.schema().columns().stream()
                    .map(Column::type)
                    .map(ColumnType::name)
                    .collect(Collectors.joining(" "));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ARROW", "JSON"})
    void shouldKeepAllDigitsOfATimeOfTheDay(String form) throws Exception {
        sql(
                "CREATE OR REPLACE TABLE SALES.PUBLIC.T (ID INT, CHANGED INT, AT_TIME TIME)",
                "INSERT INTO SALES.PUBLIC.T SELECT 1, 1, '23:04:05.123456'::time");
        Synced synced = new Synced(folder);
        synced.sync(source(options(form, "SALES.PUBLIC.T", "CHANGED")));
        assertThat(synced.rows()).containsExactly("1 1 23:04:05.123456000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TIMESTAMP_NTZ", "TIMESTAMP_LTZ", "TIMESTAMP_TZ", "DATE", "INT"})
    void shouldReadFromTheCursorLessTheOverlap(String type) throws Exception {
        boolean isTime = type.startsWith("TIME");
        String old = value(isTime ? "2026-03-29 00:00:00" : "2025-01-01", type);
        String late = value(isTime ? "2026-03-29 03:59:30" : "2026-03-29", type);
        String high = value(isTime ? "2026-03-29 04:00:00" : "2026-03-29", type);
        sql(
                "CREATE OR REPLACE TABLE SALES.PUBLIC.T (ID INT, V VARCHAR, CHANGED " + type + ")",
                "INSERT INTO SALES.PUBLIC.T SELECT 1, 'a', " + old,
                "INSERT INTO SALES.PUBLIC.T SELECT 2, 'b', " + high,
                "INSERT INTO SALES.PUBLIC.T SELECT 3, 'c', NULL");
        Synced synced = new Synced(folder);
        JdbcOptions whole = options("ARROW", "SALES.PUBLIC.T", "CHANGED");
        JdbcSource source = source(isTime ? whole : withOverlap(whole, 0));
        synced.sync(source);
        sql(
                "INSERT INTO SALES.PUBLIC.T SELECT 4, 'late', " + late,
                "UPDATE SALES.PUBLIC.T SET V = 'C' WHERE ID = 3",
                "DELETE FROM SALES.PUBLIC.T WHERE ID = 1");
        SyncReport report = synced.sync(source);
        assertThat(report.readAll()).as(report.why()).isFalse();
        assertThat(report.rowsRead()).isEqualTo(3);
        assertThat(report.difference().added()).isEqualTo(1);
        assertThat(report.difference().changed()).isEqualTo(1);
        assertThat(report.difference().gone()).isEqualTo(1);
        assertThat(synced.reconcile(source).isEqual()).isTrue();
    }

    private static String value(String text, String type) {
        return type.equals("INT") ? text.replace("-", "") : "'%s'::%s".formatted(text, type);
    }

    private static JdbcOptions withOverlap(JdbcOptions o, long overlap) {
        return new JdbcOptions(
                o.url(),
                o.user(),
                o.password(),
                o.table(),
                o.key(),
                o.cursor(),
                overlap,
                o.keysEvery(),
                o.allEvery(),
                o.classPath());
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        sql(
                "CREATE OR REPLACE TABLE SALES.PUBLIC.T (ID INT, CHANGED TIMESTAMP_NTZ, BIG"
                        + " NUMBER(37,0))",
                "INSERT INTO SALES.PUBLIC.T SELECT 1, '2026-01-01'::timestamp_ntz, 5");
        JdbcOptions options = options("JSON", "SALES.PUBLIC.T", "CHANGED");
        assertThatThrownBy(() -> new JdbcSource(options, n -> "wr0ng").open(SyncStart.FIRST))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("user 'me' is not let in")
                .hasMessageNotContaining("wr0ng");
        Synced synced = new Synced(folder);
        synced.sync(source(options));
        assertThatThrownBy(() -> synced.sync(source(options("JSON", "SALES.PUBLIC.T", "GONE"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has no cursor column 'GONE': it has [ID, CHANGED, BIG]");
        assertThatThrownBy(() -> source(options("JSON", "NONE", "CHANGED")).open(SyncStart.FIRST))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("NONE cannot be read");
        sql("INSERT INTO SALES.PUBLIC.T SELECT 2, NULL, 99999999999999999999");
        assertThatThrownBy(() -> synced.sync(source(options)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("column 'BIG': has 99999999999999999999");
        assertThat(synced.rows()).hasSize(1);
    }

    @Test
    void shouldGoOnAfterASessionEnded() throws Exception {
        sql(
                "CREATE OR REPLACE TABLE SALES.PUBLIC.T (ID INT, CHANGED INT)",
                "INSERT INTO SALES.PUBLIC.T VALUES (1, 1), (2, 2)");
        JdbcSource source = source(options("JSON", "SALES.PUBLIC.T", "CHANGED"));
        Synced synced = new Synced(folder);
        try (TableView view = source.open(SyncStart.FIRST)) {
            endSessions();
            assertThatThrownBy(() -> view.rows(view.changes().rows(), batch -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("sync again");
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("sync again"); // Of its end.
        }
        synced.sync(source);
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 1", "2 2");
    }

    private static void endSessions() throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(
                                URI.create("http://127.0.0.1:%d/end-sessions".formatted(port)))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build();
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
    }
}
