package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was agreed of features is judged once they are joined, before anything learns from them. */
@Tag("real")
@Timeout(240)
class JoinedCheckTest {
    @TempDir private Path folder;
    private GivenLoop given;

    @BeforeEach
    void begin() throws IOException {
        given = new GivenLoop(folder);
        given.rows(0, GivenLoop.ROWS, 0);
        // Customers a and b have a level, c has none.
        Files.writeString(
                folder.resolve("levels.csv"),
                "who,day,level\na,2025-12-01,1\nb,2025-12-01,2\nb,2025-12-02,3\n");
    }

    private LoopRun run(String... checks) throws Exception {
        String base = Files.readString(given.with("promote: {metric: auc}", "").file());
        Files.writeString(
                given.file(),
                base.replace(
                                "sources:\n",
                                """
                                features:
                                  level:
                                    {version: 1, key: who, at: day, sql: SELECT * FROM levels_history}
                                checks: [%s]
                                sources:
                                  levels:
                                    files: levels.csv
                                    key: [who, day]
                                    types: {day: date, level: integer}
                                """
                                        .formatted(String.join(", ", checks)))
                        .replace("x, w, c, y", "x, w, c AS who, y")
                        .replace("SELECT id, x, w, c FROM", "SELECT id, x, w, c AS who FROM"));
        return given.run();
    }

    @Test
    void whatDoesNotHoldShouldEndTheRunBeforeItLearns() throws Exception {
        LoopRun run =
                run(
                        "{table: joined, check: nulls, columns: level, most: 0.2}",
                        "{table: things, check: nulls, columns: x}");
        assertThat(run.outcome()).isEqualTo(StageOutcome.HELD);
        assertThat(run.why())
                .startsWith("check joined: joined: level is missing in ")
                .contains("of 600 rows", "at most 20 % may be");
        assertThat(given.stage(1, "check").why()).isEqualTo("all of 1 hold");
        try (Loop loop = given.open()) {
            assertThat(loop.models().registry().names()).isEmpty();
            assertThat(loop.state().stages(1)).noneMatch(stage -> stage.name().equals("train"));
            assertThat(Files.readString(loop.page())).contains("level is missing in");
        }
        LoopRun warned = run("{table: joined, check: nulls, columns: level, severity: warn}");
        assertThat(warned.outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(given.stage(2, "check joined").why())
                .startsWith("warns: joined: level is missing in");
    }

    @Test
    void whatHoldsShouldBeSaidAndAllKindsCanBeAsked() throws Exception {
        LoopRun run =
                run(
                        "{table: joined, check: nulls, columns: level, most: 0.5}",
                        "{table: joined, check: range, columns: level, least: 1, most: 3}",
                        "{table: joined, check: allowed, columns: who, values: [a, b, c]}",
                        "{table: joined, check: referential, columns: level, target: levels.level}",
                        "{table: joined, check: volume}");
        assertThat(run.outcome()).as(run.why()).isEqualTo(StageOutcome.DONE);
        assertThat(given.stage(1, "check joined").why()).isEqualTo("all of 5 hold");
        assertThat(given.stage(1, "check").outcome()).isEqualTo(StageOutcome.SKIPPED);
    }

    @Test
    void namesThatAreWrongShouldBeSaid() throws Exception {
        LoopRun run = run("{table: joined, check: nulls, columns: levl, most: 0.5}");
        assertThat(run.outcome()).isEqualTo(StageOutcome.HELD);
        assertThat(run.why()).contains("there is no column levl; did you mean level?");
        assertThatThrownBy(() -> run("{table: level, check: nulls, columns: level}"))
                .hasMessageContaining("columns of a feature are in table: joined");
        assertThatThrownBy(() -> run("{table: joinde, check: nulls, columns: level}"))
                .hasMessageContaining("did you mean joined?");
    }
}
