package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.connect.postgres.PostgresServer;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A loop whose history is in a PostgreSQL: what holds for a file holds there. */
@Tag("real")
@Timeout(240)
class PostgresStateTest {
    @TempDir Path folder;
    private PostgresServer server;
    private GivenLoop given;

    @BeforeEach
    void begin() throws Exception {
        server = PostgresServer.shared();
        server.make("loops");
        given =
                new GivenLoop(folder)
                        .password("right")
                        .with("promote: {metric: auc}", state(server.url("loops")));
        given.rows(0, GivenLoop.ROWS, 0);
    }

    private static String state(String url) {
        return "state: {postgres: \"%s\", user: medley, password: env:PG}".formatted(url);
    }

    @Test
    void aRunThatWasCutOffInAnyStageShouldEndAsOneThatWasNot() throws Exception {
        String first;
        try (Loop loop = given.open()) {
            for (String stage : loop.stageNames()) {
                assertThatThrownBy(() -> loop.run("by hand", new GivenLoop.CutAt(stage)))
                        .isInstanceOf(AssertionError.class);
            }
            first = loop.stageNames().get(0);
        }
        LoopRun run = given.run();
        assertThat(run.number()).isOne();
        assertThat(run.outcome()).isEqualTo(StageOutcome.DONE);
        try (Loop loop = given.open()) {
            assertThat(loop.models().registry().versions("small")).hasSize(1);
            assertThat(loop.state().runs(9)).containsExactly(run);
            assertThat(loop.state().stages(1)).hasSameSizeAs(loop.stageNames());
            assertThat(loop.state().stages(1).get(0).name()).isEqualTo(first);
            assertThat(given.decision(1, "promote")).startsWith("promote: version 1");
            assertThat(folder.resolve("small.loop/loop.db")).doesNotExist();
        }
    }

    @Test
    void twoAtOnceShouldBeRefusedAndOneAfterTheOtherNot() throws Exception {
        try (Loop first = given.open();
                Loop second = given.open()) {
            first.run(
                    "by hand",
                    new GivenLoop.Quiet() {
                        @Override
                        public void stage(String name) {
                            assertThatThrownBy(() -> second.run("by hand", this))
                                    .isInstanceOf(ConfigException.class)
                                    .hasMessageContaining("loop small runs already: process")
                                    .hasMessageContaining("holds jdbc:postgresql://127.0.0.1");
                        }
                    });
            assertThat(second.run("by hand", new GivenLoop.Quiet()).number()).isEqualTo(2);
        }
    }

    @Test
    void aConnectionThatIsLostShouldCostTheRunItsPlaceAndNothingElse() throws Exception {
        try (Loop loop = given.open()) {
            GivenLoop.Quiet lost =
                    new GivenLoop.Quiet() {
                        @Override
                        public void stage(String name) {
                            if (name.equals("train")) {
                                endOthers();
                            }
                        }
                    };
            assertThatThrownBy(() -> loop.run("by hand", lost))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("the loop's state cannot be");
        }
        LoopRun run = given.run();
        assertThat(run.number()).isOne();
        assertThat(run.outcome()).isEqualTo(StageOutcome.DONE);
    }

    @Test
    void whatIsWrongShouldBeOneMessageWithoutThePassword() throws Exception {
        given.password("wrong-word");
        assertThatThrownBy(() -> given.open())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("the loop's state does not open")
                .hasMessageNotContaining("wrong-word");
        given.password("right").with("", state(server.url("none")));
        assertThatThrownBy(() -> given.open())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("none");
        given.with("", state("mysql://127.0.0.1/loops"));
        assertThatThrownBy(() -> given.open())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("an address such as postgresql://db/loops");
    }

    private void endOthers() {
        try (Connection connection = server.connect("loops");
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
                            + " 'loops' AND pid <> pg_backend_pid()");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }
}
