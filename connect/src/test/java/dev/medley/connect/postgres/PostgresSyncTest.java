package dev.medley.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.connect.Secret;
import dev.medley.connect.schema.SchemaContract;
import dev.medley.connect.snapshot.SnapshotFolder;
import dev.medley.connect.snapshot.SnapshotReader;
import dev.medley.connect.sync.Reconciler;
import dev.medley.connect.sync.Reconciliation;
import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.TableSync;
import dev.medley.connect.table.RowTexts;
import dev.medley.connect.table.SyncStart;
import dev.medley.connect.table.TableSource;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class PostgresSyncTest {
    private static final String DATABASE = "synced";

    @TempDir private Path folder;
    private PostgresServer server;
    private Connection connection;

    @BeforeEach
    void begin() throws Exception {
        server = PostgresServer.shared();
        server.make(DATABASE);
        connection = server.connect(DATABASE);
    }

    @AfterEach
    void end() throws SQLException {
        if (connection != null) {
            connection.close();
        }
    }

    @Test
    void shouldReadOnlyWhatChanged() throws Exception {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        sql("INSERT INTO t SELECT i, 'v' || i FROM generate_series(1, 1000) i");
        assertThat(sync("t").readAll()).isTrue();
        sql("UPDATE t SET v = 'new' WHERE id = 7");
        sql("UPDATE t SET v = v WHERE id = 8");
        sql("DELETE FROM t WHERE id = 9");
        sql("INSERT INTO t VALUES (2000, NULL)");
        SyncReport report = sync("t");
        assertThat(report.readAll()).as(report.why()).isFalse();
        assertThat(report.rowsRead()).isEqualTo(3);
        assertThat(report.difference().added()).isEqualTo(1);
        assertThat(report.difference().changed()).isEqualTo(1);
        assertThat(report.difference().gone()).isEqualTo(1);
        assertThat(reconcile("t").words()).startsWith("source and snapshot are equal: 1000 rows");
        assertThat(sync("t").difference().isNothing()).isTrue();
    }

    @Test
    void shouldNotLoseWhatCommitsLate() throws Exception {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        try (Connection late = server.connect(DATABASE);
                Statement other = late.createStatement()) {
            late.setAutoCommit(false);
            other.execute("INSERT INTO t VALUES (1, 'top')");
            other.execute("SAVEPOINT a");
            other.execute("INSERT INTO t VALUES (2, 'sub')");
            sql("INSERT INTO t VALUES (3, 'early')");
            sync("t");
            sql("INSERT INTO t VALUES (4, 'early')");
            other.execute("SAVEPOINT b");
            other.execute("INSERT INTO t VALUES (5, 'sub')");
            sync("t");
            other.execute("RELEASE SAVEPOINT b");
            other.execute("INSERT INTO t VALUES (6, 'sub')");
            late.commit();
        }
        SyncReport report = sync("t");
        assertThat(report.readAll()).isFalse();
        assertThat(report.difference().added()).isEqualTo(4);
        assertThat(reconcile("t").isEqual()).isTrue();
    }

    @Test
    void shouldNotLosePreparedTransactions() throws Exception {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        sql("INSERT INTO t VALUES (1, 'a')");
        sql("BEGIN; UPDATE t SET v = 'b'; PREPARE TRANSACTION 'p'");
        sync("t");
        sql("INSERT INTO t VALUES (2, 'c')");
        sync("t");
        sql("COMMIT PREPARED 'p'");
        sync("t");
        assertThat(rows()).containsExactlyInAnyOrder("1 b", "2 c");
    }

    @Test
    void shouldKeepEveryValueAsItIs() throws Exception {
        sql("CREATE TYPE mood AS ENUM ('sad', 'happy')");
        sql("CREATE DOMAIN small AS numeric(6,2) CHECK (value < 1000)");
        sql(
                "CREATE TABLE t (id int PRIMARY KEY, b bool, i2 int2, i8 int8, f4 float4, f8"
                    + " float8, n numeric, t text, c char(5), d date, ts timestamp, tz timestamptz,"
                    + " u uuid, j json, jb jsonb, y bytea, m mood, s small, a int[], i interval)");
        sql(
                "INSERT INTO t VALUES (1, true, -5, 9223372036854775807, 1.5, 'NaN', 'NaN', 'é😀',"
                        + " 'x', 'infinity', 'infinity', '-infinity',"
                        + " 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '{\"a\": 1}', '{\"a\":1}',"
                        + " '\\x00ff', 'happy', 12.5, '{1,NULL}', '1 day 2 hours')");
        sql(
                "INSERT INTO t VALUES (2, false, 0, -9223372036854775808, '-Infinity', '-0',"
                        + " '-Infinity', '', '', '4713-01-01 BC', '4713-01-01 00:00:00 BC',"
                        + " '294246-12-31 23:59:59.999999+00', NULL, 'null', 'null', '', 'sad',"
                        + " -0.01, '{}', '-1 mon')");
        sql(
                "INSERT INTO t (id, n, d, ts) VALUES (3, 123456789012345678901234567890.00100,"
                    + " '5874897-12-31', '1969-12-31 23:59:59.999999'), (4,"
                    + " -0.00000000000000000000001, '-infinity', '-infinity'), (5, 1e30,"
                    + " '1970-01-01', '2000-01-01'), (6, 'Infinity', NULL, NULL), (7, 10000, NULL,"
                    + " NULL), (8, 0.00, NULL, NULL), (9, 100000000.5, NULL, NULL)");
        sync("t");
        List<String> rows = rows();
        assertThat(rows.get(0))
                .isEqualTo(
                        "1 1 -5 9223372036854775807 1.5 NaN NaN é😀 x     9223372036854775807"
                                + " 9223372036854775807 -9223372036854775808"
                                + " a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11 {\"a\": 1} {\"a\": 1} 00ff"
                                + " happy 12.50 {1,NULL} P1DT2H");
        assertThat(rows.get(1))
                .startsWith("2 0 0 -9223372036854775808 -Infinity -0.0 -Infinity        -2440550");
        List<String> decimals =
                rows.stream()
                        .map(r -> r.split(" "))
                        .filter(r -> r.length == 20)
                        .map(r -> r[6])
                        .toList();
        assertThat(decimals)
                .containsExactly(
                        "123456789012345678901234567890.00100",
                        "-0.00000000000000000000001",
                        "1000000000000000000000000000000",
                        "Infinity",
                        "10000",
                        "0.00",
                        "100000000.5");
        assertThat(reconcile("t").isEqual()).isTrue();
    }

    @Test
    void shouldReplaceATableWithoutKey() throws Exception {
        sql("CREATE TABLE t (v int)");
        sql("INSERT INTO t VALUES (1), (1), (NULL)");
        sync("t");
        sql("DELETE FROM t WHERE ctid = (SELECT min(ctid) FROM t)");
        assertThat(sync("t").readAll()).isTrue();
        assertThat(rows()).containsExactlyInAnyOrder("1", "-");
        sql("INSERT INTO t VALUES (5)");
        assertThat(reconcile("t").words()).contains("v=5 1 more in the source");
    }

    @Test
    void shouldReadAllRowsWhereChangesAreNotEnough() throws Exception {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        sql("INSERT INTO t VALUES (1, 'a')");
        sync("t");
        sql("DROP TABLE t");
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        sql("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
        assertThat(sync("t").why()).contains("made anew");
        sql("ALTER TABLE t ADD COLUMN w int DEFAULT 5");
        SyncReport report = sync("t");
        assertThat(report.readAll()).isTrue();
        assertThat(report.why()).contains("'w'").contains("is new");
        assertThat(rows()).containsExactlyInAnyOrder("1 a 5", "2 b 5");
        sql("ALTER TABLE t RENAME COLUMN v TO name");
        assertThat(sync("t").difference().isNothing()).isTrue();
        assertThat(reconcile("t").isEqual()).isTrue();
    }

    @Test
    void shouldSeePartitionsThatComeWithOldRows() throws Exception {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text) PARTITION BY RANGE (id)");
        sql("CREATE TABLE t1 PARTITION OF t FOR VALUES FROM (0) TO (10)");
        sql("CREATE TABLE t2 (id int PRIMARY KEY, v text)");
        sql("INSERT INTO t2 VALUES (11, 'old')");
        sql("INSERT INTO t VALUES (1, 'a')");
        sync("t");
        sql("INSERT INTO t VALUES (2, 'b')");
        assertThat(sync("t").readAll()).isFalse();
        sql("ALTER TABLE t ATTACH PARTITION t2 FOR VALUES FROM (10) TO (20)");
        assertThat(sync("t").why()).contains("partitions");
        assertThat(rows()).containsExactlyInAnyOrder("1 a", "2 b", "11 old");
    }

    @Test
    void shouldReadAllRowsWhenAKeyTurnsUpThatNothingNamed() throws Exception {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        sql("INSERT INTO t VALUES (1, 'a'), (2, 'hidden')");
        sql("ALTER TABLE t ENABLE ROW LEVEL SECURITY");
        sql("CREATE POLICY p ON t USING (v <> 'hidden')");
        sql("DROP ROLE IF EXISTS reader");
        sql("CREATE ROLE reader LOGIN PASSWORD 'right'");
        sql("GRANT SELECT ON t TO reader");
        PostgresOptions options =
                PostgresOptions.of(server.url(DATABASE), "reader", new Secret("env:PASSWORD"), "t");
        sync(server.source(options));
        assertThat(rows()).containsExactly("1 a");
        sql("DROP POLICY p ON t");
        sql("CREATE POLICY p ON t USING (true)");
        SyncReport report = sync(server.source(options));
        assertThat(report.why())
                .isEqualTo("1 rows are in the source though nothing said that they are new");
        assertThat(rows()).containsExactlyInAnyOrder("1 a", "2 hidden");
    }

    @Test
    void shouldCompareKeysAtEveryNthSync() throws Exception {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        sql("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
        PostgresOptions o = server.options(DATABASE, "t");
        PostgresSource rarely =
                server.source(
                        new PostgresOptions(
                                o.url(),
                                o.user(),
                                o.password(),
                                o.table(),
                                List.of(),
                                List.of(),
                                3,
                                0));
        sync(rarely);
        sql("DELETE FROM t WHERE id = 1");
        assertThat(sync(rarely).seesDeletes()).isFalse();
        assertThat(sync(rarely).seesDeletes()).isFalse();
        assertThat(sync(rarely).difference().gone()).isEqualTo(1);
        assertThat(sync(rarely).seesDeletes()).isFalse();
    }

    @Test
    void shouldSayWhatTheUserHasToChange() throws Exception {
        sql("CREATE TABLE orders (id int PRIMARY KEY, v text)");
        assertThatThrownBy(() -> sync("order"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no table order")
                .hasMessageContaining("did you mean orders?");
        assertThatThrownBy(() -> sync("a b; drop"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no table");
        PostgresOptions o = server.options(DATABASE, "orders");
        assertThatThrownBy(
                        () -> new PostgresSource(o, name -> "wrong-secret").open(SyncStart.FIRST))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not let in")
                .hasMessageContaining("env:PASSWORD")
                .hasMessageNotContaining("wrong-secret");
        assertThatThrownBy(() -> new PostgresSource(o, name -> null).open(SyncStart.FIRST))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("PASSWORD is not set");
        assertThatThrownBy(() -> sync(server.source(server.options("nowhere", "orders"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no such database");
        PostgresOptions named =
                new PostgresOptions(
                        o.url(),
                        o.user(),
                        o.password(),
                        "orders",
                        List.of("id", "w"),
                        List.of(),
                        1,
                        0);
        assertThatThrownBy(() -> sync(server.source(named)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no column 'w'");
        assertThatThrownBy(() -> PostgresOptions.of(o.url() + "?password=hush", "a", null, "t"))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("hush");
        assertThatThrownBy(() -> PostgresOptions.of("postgresql://a:hush@host/d", "a", null, "t"))
                .isInstanceOf(ConfigException.class)
                .hasMessageNotContaining("hush");
    }

    @Test
    void shouldSayThatAStatementTookTooLong() throws Exception {
        sql(
                "CREATE VIEW slow AS SELECT i AS id, pg_sleep(0.05) IS NULL AS n FROM"
                        + " generate_series(1, 1000) i");
        PostgresOptions o = server.options(DATABASE, "slow");
        PostgresSource slow =
                server.source(
                        new PostgresOptions(
                                o.url(),
                                o.user(),
                                o.password(),
                                "slow",
                                List.of(),
                                List.of(),
                                1,
                                1_000_000_000));
        assertThatThrownBy(() -> sync(slow))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("took too long");
    }

    @Test
    void shouldGoOnAfterTheServerWentAway() throws Exception {
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        sql("INSERT INTO t SELECT i, repeat('v', 100) FROM generate_series(1, 100000) i");
        sync("t");
        sql("UPDATE t SET v = 'new'");
        assertThatThrownBy(() -> sync(new CutSource(server.source(DATABASE, "t"), 3, () -> kill())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("sync again");
        connection = server.connect(DATABASE);
        SyncReport report = sync("t");
        assertThat(report.difference().changed()).isEqualTo(100_000);
        assertThat(reconcile("t").isEqual()).isTrue();
    }

    private void kill() {
        try {
            sql(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                            + " WHERE application_name = 'medley'");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void sql(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private SyncReport sync(String table) throws IOException {
        return sync(server.source(DATABASE, table));
    }

    private SyncReport sync(TableSource source) throws IOException {
        return new TableSync(
                        source, new SnapshotFolder(folder), SchemaContract.FOLLOW, Clock.system())
                .run();
    }

    private Reconciliation reconcile(String table) throws IOException {
        return Reconciler.compare(
                server.source(DATABASE, table), new SnapshotFolder(folder), SchemaContract.FOLLOW);
    }

    private List<String> rows() throws IOException {
        List<String> rows = new ArrayList<>();
        try (SnapshotReader reader = SnapshotReader.latest(new SnapshotFolder(folder))) {
            reader.rows(RowTexts.into(rows));
        }
        return rows;
    }
}
