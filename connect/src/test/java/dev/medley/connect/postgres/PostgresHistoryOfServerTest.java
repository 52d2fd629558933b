package dev.medley.connect.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.connect.sync.SyncReport;
import dev.medley.connect.sync.Synced;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to a server as a whole between two syncs: it is put back, or its numbers wrap. */
@Tag("real")
class PostgresHistoryOfServerTest {
    private static final String DATABASE = "whole";

    @TempDir private Path folder;
    private PostgresServer server;
    private Synced synced;

    @BeforeEach
    void begin() throws Exception {
        server = PostgresServer.start();
        server.make(DATABASE);
        synced = new Synced(folder);
        sql("CREATE TABLE t (id int PRIMARY KEY, v text)");
        sql("INSERT INTO t VALUES (1, 'a'), (2, 'b')");
    }

    @Test
    void shouldReadAllRowsOfAServerThatWasPutBack() throws Exception {
        synced.sync(server.source(DATABASE, "t"));
        server.stop();
        server.copyData("data", "copy");
        server.startAgain();
        sql("UPDATE t SET v = 'lost' WHERE id = 1");
        sql("INSERT INTO t VALUES (3, 'lost')");
        synced.sync(server.source(DATABASE, "t"));
        server.stop();
        server.copyData("copy", "data");
        server.startAgain();
        SyncReport report = synced.sync(server.source(DATABASE, "t"));
        assertThat(report.why()).contains("earlier state");
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 a", "2 b");
    }

    @Test
    void shouldReadAllRowsOfAServerThatWasPutBackAndWentFurther() throws Exception {
        synced.sync(server.source(DATABASE, "t"));
        server.stop();
        server.copyData("data", "copy");
        server.startAgain();
        sql("UPDATE t SET v = 'lost' WHERE id = 1");
        synced.sync(server.source(DATABASE, "t"));
        server.stop();
        server.copyData("copy", "data");
        server.startAgain();
        sql(
                "DO $$ BEGIN FOR i IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP;"
                        + " END $$");
        sql("CREATE TABLE other AS SELECT repeat('x', 100) FROM generate_series(1, 100000)");
        SyncReport report = synced.sync(server.source(DATABASE, "t"));
        assertThat(report.why()).contains("started anew");
        assertThat(synced.rows()).containsExactlyInAnyOrder("1 a", "2 b");
    }

    @Test
    void shouldCountTransactionsBeyond32Bits() throws Exception {
        sql("VACUUM (FREEZE)");
        try (Connection other = server.connect("postgres");
                Statement statement = other.createStatement()) {
            statement.execute("VACUUM (FREEZE)");
        }
        server.setTransaction(4_294_966_000L, 1);
        server.startAgain();
        sql("INSERT INTO t VALUES (3, 'before the end')");
        synced.sync(server.source(DATABASE, "t"));
        sql("INSERT INTO t VALUES (4, 'before the end')");
        sql(
                "DO $$ BEGIN FOR i IN 1..2000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP;"
                        + " END $$");
        sql("INSERT INTO t VALUES (5, 'after the beginning')");
        SyncReport report = synced.sync(server.source(DATABASE, "t"));
        assertThat(report.readAll()).as(report.why()).isFalse();
        assertThat(report.rowsRead()).as("two, and perhaps frozen ones").isBetween(2L, 4L);
        assertThat(report.difference().added()).isEqualTo(2);
        assertThat(synced.reconcile(server.source(DATABASE, "t")).isEqual()).isTrue();
        sql("UPDATE t SET v = 'late' WHERE id = 3");
        report = synced.sync(server.source(DATABASE, "t"));
        assertThat(report.difference().changed()).isEqualTo(1);
        assertThat(report.rowsRead()).isBetween(1L, 3L);
    }

    private void sql(String sql) throws SQLException {
        try (Connection connection = server.connect(DATABASE);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
