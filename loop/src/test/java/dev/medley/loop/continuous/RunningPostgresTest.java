package dev.medley.loop.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.connect.postgres.PostgresServer;
import dev.medley.loop.run.GivenLoop;
import dev.medley.loop.state.StageOutcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A running model learns each row of a table in PostgreSQL once, whatever is done to it. */
@Tag("real")
@Timeout(240)
class RunningPostgresTest {
    private static final int ROWS = 400;

    @TempDir Path folder;
    private final HandClock clock = new HandClock();

    @Test
    void shouldLearnLateCommitsAndLateLabelsOnceAndChangedRowsNotAgain() throws Exception {
        PostgresServer server = PostgresServer.shared();
        server.make("flowing");
        GivenLoop loop =
                GivenLoop.flowing(folder, clock)
                        .password("right")
                        .from(
                                "{postgres: \"%s\", user: medley, password: env:PG, table: things}"
                                        .formatted(server.url("flowing")));
        try (Connection now = server.connect("flowing");
                Connection late = server.connect("flowing")) {
            execute(
                    now,
                    "CREATE TABLE things (id bigint PRIMARY KEY, t timestamp NOT NULL, x float8, w"
                            + " float8, c text, y text)");
            insert(now, 0, ROWS);
            assertThat(loop.run().outcome()).isEqualTo(StageOutcome.DONE);
            assertThat(seen(loop)).isEqualTo(ROWS / 5);
            late.setAutoCommit(false);
            insert(late, ROWS, ROWS + 50);
            insert(now, ROWS + 50, ROWS + 80);
            assertThat(seen(loop)).isEqualTo(ROWS / 5 + 30);
            late.commit();
            assertThat(seen(loop)).as("committed late").isEqualTo(ROWS / 5 + 80);
            execute(now, "UPDATE things SET x = -x, y = 'no' WHERE id BETWEEN 400 AND 410");
            execute(now, "DELETE FROM things WHERE id BETWEEN 411 AND 420");
            insert(now, 600, 601);
            execute(now, "UPDATE things SET y = NULL WHERE id = 600");
            assertThat(seen(loop)).as("changed, gone, unlabelled").isEqualTo(ROWS / 5 + 80);
            execute(now, "UPDATE things SET y = 'yes' WHERE id = 600");
            assertThat(seen(loop)).as("labelled late").isEqualTo(ROWS / 5 + 81);
            assertThat(seen(loop)).isEqualTo(ROWS / 5 + 81);
        }
        assertThat(loop.publish().outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(loop.decision("promote")).contains("version 2");
    }

    private long seen(GivenLoop loop) throws Exception {
        clock.pass(Duration.ofSeconds(30));
        return loop.look().position().seen();
    }

    /** Rows of which x says the label, but for every ninth. */
    private static void insert(Connection connection, int from, int to) throws SQLException {
        execute(
                connection,
                ("INSERT INTO things SELECT i, timestamp '2026-01-01' + i * interval '1 hour',"
                     + " sin(i * 12.9898) * 2, i %% 7 / 7.0, substr('abc', i %% 3 + 1, 1), CASE"
                     + " WHEN (sin(i * 12.9898) > 0) <> (i %% 9 = 0) THEN 'yes' ELSE 'no' END FROM"
                     + " generate_series(%d, %d) i")
                        .formatted(from, to - 1));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
