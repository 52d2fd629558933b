package dev.medley.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.time.Clock;
import dev.medley.connect.back.BackRow;
import dev.medley.connect.back.WriteBack;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.snapshot.SnapshotManifest;
import dev.medley.connect.snapshot.SnapshotReader;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.Synced;
import dev.medley.connect.table.RowTexts;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table that only has the name of another one is not taken for it. */
@Tag("real")
class PostgresIdentityTest {
    private static final String DATABASE = "identity";

    @TempDir private Path folder;
    private PostgresServer server;
    private Connection connection;
    private Synced synced;

    @BeforeEach
    void begin() throws Exception {
        server = PostgresServer.shared();
        server.make(DATABASE);
        connection = server.connect(DATABASE);
        synced = new Synced(folder.resolve("t"), SchemaContract.USUAL);
    }

    @AfterEach
    void end() throws SQLException {
        connection.close();
    }

    @Test
    void shouldKeepColumnsByNameWhenTheTableIsMadeAnew() throws Exception {
        sql("CREATE TABLE t (id int PRIMARY KEY, a text, b text)");
        sql("INSERT INTO t VALUES (1, 'a1', 'b1'), (2, 'a2', 'b2')");
        sync();
        sql("DROP TABLE t");
        sql("CREATE TABLE t (c text, b text, a text, id int PRIMARY KEY)");
        sql("INSERT INTO t VALUES ('c1', 'b1', 'a1', 1), ('c3', 'b3', 'a3', 3)");
        SyncReport report = sync();
        assertThat(report.why()).isEqualTo("the table was made anew");
        assertThat(report.schemaChanges()).hasSize(1);
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 a1 b1 c1", "3 a3 b3 c3");
        assertThat(rowsAt(1)).containsExactlyInAnyOrder("1 a1 b1", "2 a2 b2");
        sql("ALTER TABLE t RENAME COLUMN a TO x");
        assertThat(sync().schemaChanges().get(0).why()).isEqualTo("column 'a' is now called 'x'");
        sql("UPDATE t SET x = 'new' WHERE id = 1");
        assertThat(sync().readAll()).isFalse();
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 new b1 c1", "3 a3 b3 c3");
        assertThat(synced.reconcile(server.source(DATABASE, "t")).isEqual()).isTrue();
    }

    @Test
    void shouldWriteNothingForATableThatIsMadeAnewWithTheSameRows() throws Exception {
        for (String columns : List.of("id int PRIMARY KEY, v text", "v text, id int PRIMARY KEY")) {
            sql("DROP TABLE IF EXISTS t");
            sql("CREATE TABLE t (" + columns + ")");
            sql("INSERT INTO t (id, v) VALUES (1, 'a'), (2, 'b')");
            assertThat(sync().version()).isEqualTo(1);
        }
    }

    @Test
    void shouldReadAllRowsWhereAPartitionIsSomewhereElse() throws Exception {
        sql("CREATE EXTENSION postgres_fdw");
        sql(
                "CREATE SERVER here FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1',"
                        + " port '%s', dbname '%s')"
                                .formatted(
                                        server.url("").replaceAll("\\D*127.0.0.1:|/", ""),
                                        DATABASE));
        sql("CREATE USER MAPPING FOR medley SERVER here OPTIONS (user 'medley', password 'right')");
        sql("CREATE TABLE far (id int NOT NULL, v text)");
        sql("INSERT INTO far VALUES (11, 'old')");
        sql("CREATE TABLE t (id int NOT NULL, v text) PARTITION BY RANGE (id)");
        sql("CREATE TABLE near PARTITION OF t FOR VALUES FROM (0) TO (10)");
        sql(
                "CREATE FOREIGN TABLE t2 PARTITION OF t FOR VALUES FROM (10) TO (20) SERVER here"
                        + " OPTIONS (table_name 'far')");
        PostgresOptions o = server.options(DATABASE, "t");
        PostgresSource source =
                server.source(
                        new PostgresOptions(
                                o.url(),
                                o.user(),
                                o.password(),
                                "t",
                                List.of(),
                                List.of("id"),
                                1,
                                0));
        synced.sync(source);
        sql("INSERT INTO t VALUES (1, 'a')");
        sql("UPDATE far SET v = 'new'");
        assertThat(synced.sync(source).why()).contains("foreign");
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 a", "11 new");
    }

    @Test
    void shouldReadAllRowsAtAnotherAddress() throws Exception {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        sql("INSERT INTO t VALUES (1, 'a')");
        sync();
        PostgresOptions o = server.options(DATABASE, "t");
        PostgresOptions other =
                PostgresOptions.of(
                        o.url().replace("127.0.0.1", "localhost"), o.user(), o.password(), "t");
        assertThat(synced.sync(server.source(other)).why()).contains("no longer at 127.0.0.1");
    }

    @Test
    void shouldSendAllRowsToATableThatWasMadeAnew() throws Exception {
        for (int time = 0; time < 2; time++) {
            sql("DROP TABLE IF EXISTS scores");
            sql("CREATE TABLE scores (id text PRIMARY KEY, score float8)");
            PostgresDestination destination =
                    new PostgresDestination(
                            server.options(DATABASE, "scores"),
                            "id",
                            List.of("score"),
                            n -> "right");
            try (WriteBack back =
                    WriteBack.open(folder.resolve("state"), destination, Clock.system())) {
                back.write(taker -> taker.row(new BackRow("k", List.of("0.5"))));
                assertThat(
                                back.write(taker -> taker.row(new BackRow("k", List.of("0.5"))))
                                        .unchanged())
                        .isEqualTo(1);
            }
            try (Statement statement = connection.createStatement();
                    ResultSet found = statement.executeQuery("SELECT count(*) FROM scores")) {
                found.next();
                assertThat(found.getInt(1)).isEqualTo(1);
            }
        }
    }

    /** A backend that neither answers nor ends, as behind a network that drops what is sent. */
    @Test
    void shouldGiveUpAServerThatFallsSilent() throws Exception {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        sql("INSERT INTO t SELECT i, repeat(md5(i::text), 50) FROM generate_series(1, 20000) i");
        PostgresOptions o = server.options(DATABASE, "t");
        PostgresSource source =
                server.source(
                        new PostgresOptions(
                                o.url(),
                                o.user(),
                                o.password(),
                                "t",
                                List.of(),
                                List.of(),
                                1,
                                1_000_000_000));
        try {
            assertThatThrownBy(() -> synced.sync(new CutSource(source, 1, () -> signal("STOP"))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("does not answer or went away");
        } finally {
            signal("CONT");
        }
        assertThat(sync().difference().added()).isEqualTo(20_000);
    }

    private void signal(String name) {
        try (Statement statement = connection.createStatement();
                ResultSet found =
                        statement.executeQuery(
                                "SELECT pid FROM pg_stat_activity WHERE application_name = 'medley'"
                                        + " AND datname = '"
                                        + DATABASE
                                        + "'")) {
            while (found.next()) {
                int unused =
                        new ProcessBuilder("kill", "-" + name, found.getString(1))
                                .start()
                                .waitFor();
            }
        } catch (SQLException | IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> rowsAt(long version) throws IOException {
        SnapshotFolder place = new SnapshotFolder(folder.resolve("t"));
        SnapshotManifest manifest = place.requireManifest();
        List<String> rows = new ArrayList<>();
        try (SnapshotReader reader =
                SnapshotReader.knownAt(
                        place, manifest.versions().get((int) version - 1).knownAtMicros())) {
            reader.rows(RowTexts.into(rows));
        }
        return rows;
    }

    private SyncReport sync() throws IOException {
        return synced.sync(server.source(DATABASE, "t"));
    }

    private void sql(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
