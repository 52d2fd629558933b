package dev.medley.loop.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.loop.decide.ModelComparison;
import dev.medley.loop.run.GivenLoop;
import dev.medley.loop.run.Loop;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A model that goes on learning between runs: what it learns, follows and publishes. */
@Tag("real")
@Timeout(240)
class ContinuousTest {
    private static final int ROWS = 400;

    @TempDir Path folder;
    private final HandClock clock = new HandClock();
    private GivenLoop arriving;

    @BeforeEach
    void begin() throws Exception {
        arriving = GivenLoop.flowing(folder, clock);
    }

    @Test
    void shouldLearnEachRowOnceFollowAChangeAndTakeThePlaceOfTheChampion() throws Exception {
        arriving.turned(0, ROWS, 1);
        assertThat(arriving.run().outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(arriving.production()).isOne();
        RunningStanding begun = arriving.look();
        assertThat(begun.position().rows()).isEqualTo(ROWS / 5); // The newest, which judged.
        for (int batch = 0; batch < 5; batch++) {
            int from = ROWS + 120 * batch;
            arriving.turned(from, from + 120, -1);
            clock.pass(Duration.ofSeconds(30));
            RunningStanding standing = arriving.look();
            assertThat(standing.position().rows()).isEqualTo(ROWS / 5 + 120 * (batch + 1));
            assertThat(standing.words()).contains("continuous.delay is kept");
        }
        LoopRun published = arriving.publish();
        assertThat(published.cause()).isEqualTo("publish");
        assertThat(arriving.production()).isEqualTo(2);
        assertThat(arriving.decision("promote")).startsWith("promote: version 2: auc");
        // Its own version answers: it goes on, and begins nothing anew.
        arriving.turned(2000, 2050, -1);
        RunningPosition on = arriving.look().position();
        assertThat(on.champion()).isEqualTo(2);
        assertThat(on.origin()).isOne();
        assertThat(on.rows()).isEqualTo(ROWS / 5 + 650);
        assertThat(on.judgedRows()).isEqualTo(50);
    }

    @Test
    void aModelThatWasTakenBackShouldNotGoOnAndItsRowsShouldBeLearntByTheOneBefore()
            throws Exception {
        arriving.turned(0, ROWS, 1);
        arriving.run();
        arriving.look();
        arriving.turned(ROWS, ROWS + 200, -1);
        clock.pass(Duration.ofSeconds(30));
        arriving.look();
        arriving.publish();
        try (Loop loop = arriving.open()) {
            loop.models().promote(2, "by hand");
        }
        assertThat(arriving.look().position().champion()).isEqualTo(2);
        try (Loop loop = arriving.open()) {
            loop.rollbacks(GivenLoop.quiet()).rollback(1, "me", "it is worse");
        }
        arriving.turned(1000, 1010, 1);
        clock.pass(Duration.ofSeconds(30));
        RunningPosition anew = arriving.look().position();
        assertThat(anew.origin()).isOne();
        assertThat(anew.rows()).isEqualTo(ROWS / 5 + 210); // All that version 1 had not learnt.
        assertThat(arriving.decision("running model"))
                .startsWith("begins with version 1: ")
                .contains("in place of one from version 1 on that had learnt 280 rows");
        // What the first running model has left is not gone on from, but for what version 2 learnt.
        assertThat(folder.resolve("flow.loop/continuous/1/state.safetensors")).exists();
        arriving.run();
        assertThat(files("flow.loop/continuous/1"))
                .containsExactlyInAnyOrder(
                        "base.parquet", "log-2.parquet", "rows-2.parquet", "seen-2.parquet");
        assertThat(folder.resolve("flow.loop/continuous/2/state.safetensors")).exists();
        // What is held needs rows that nobody knew then.
        arriving.publish();
        assertThat(arriving.production()).isOne();
        assertThat(arriving.decision("promote")).contains("held, as version 2");
    }

    private List<String> files(String name) throws Exception {
        try (Stream<Path> there = Files.list(folder.resolve(name))) {
            return there.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void rowsOfOldPublicationsThatNeverAnsweredShouldGo() throws Exception {
        arriving.with("promote: {metric: auc, newest: 20%, by_hand: true}", "keep: 1");
        arriving.turned(0, ROWS, 1);
        arriving.run();
        try (Loop loop = arriving.open()) {
            loop.models().promote(1, "by hand");
        }
        arriving.look();
        for (int publication = 1; publication <= 2; publication++) {
            int from = ROWS + 50 * publication;
            arriving.turned(from, from + 50, 1);
            clock.pass(Duration.ofSeconds(30));
            arriving.look();
            arriving.publish();
        }
        arriving.run();
        assertThat(files("flow.loop/continuous/1"))
                .contains("rows-3.parquet", "log-2.parquet", "log-3.parquet")
                .doesNotContain("rows-2.parquet", "seen-2.parquet");
        try (Loop loop = arriving.open()) {
            loop.models().promote(2, "by hand");
        }
        // What it learnt is known still, so that a model begins with it and learns the rest.
        RunningPosition begun = arriving.look().position();
        assertThat(begun.origin()).isEqualTo(2);
        assertThat(begun.rows()).isEqualTo(50);
    }

    @Test
    void aRunShouldJudgeTheRunningModelByWhatItSaidBeforeItLearnt() throws Exception {
        arriving.with("promote: {metric: auc, newest: 20%}\nretrain: {rows: 100}", "");
        arriving.turned(0, ROWS, 1);
        arriving.run();
        arriving.look();
        arriving.turned(ROWS, 2 * ROWS, -1);
        clock.pass(Duration.ofSeconds(30));
        arriving.look();
        arriving.publish();
        try (Loop loop = arriving.open()) {
            loop.models().promote(2, "by hand");
        }
        clock.pass(Duration.ofHours(24));
        LoopRun run = arriving.run();
        assertThat(run.outcome()).isEqualTo(StageOutcome.DONE);
        try (Loop loop = arriving.open()) {
            ModelComparison comparison =
                    loop.state().decisions(99).stream()
                            .filter(d -> d.run() == run.number() && d.kind().equals("promote"))
                            .map(d -> Json.bind(d.numbers(), ModelComparison.class))
                            .findFirst()
                            .orElseThrow();
            assertThat(comparison.rows()).isEqualTo(ROWS * 2 / 5);
            // Before it learnt these rows it did not know that they are turned round.
            assertThat(comparison.champion()).isLessThan(0.5);
        }
    }

    @Test
    void rowsThatCannotBeLearntShouldWaitAndNothingBeLost() throws Exception {
        arriving.turned(0, ROWS, 1);
        arriving.run();
        arriving.look();
        // One row; a category and a class that nobody knows; a missing value; all of one class.
        arriving.text("900", GivenLoop.row(900, "0.5", 'a', "yes"));
        assertThat(arriving.look().position().rows()).isEqualTo(ROWS / 5 + 1);
        arriving.text(
                "901",
                GivenLoop.row(901, "", 'z', "yes")
                        + GivenLoop.row(902, "1.5", 'a', "yes")
                        + GivenLoop.row(903, "2.5", 'a', "perhaps")
                        + GivenLoop.row(904, "2.5", 'a', ""));
        RunningStanding standing = arriving.look();
        assertThat(standing.position().rows()).isEqualTo(ROWS / 5 + 3);
        assertThat(standing.words()).contains("1 rows wait for a training");
        arriving.text("905", GivenLoop.row(905, "1e38", 'a', "no"));
        RunningStanding far = arriving.look();
        assertThat(far.position().rows() + far.position().refused()).isEqualTo(ROWS / 5 + 4);
        // Late: of a time long before, and with a label that comes now.
        arriving.text("2", GivenLoop.row(904, "2.5", 'a', "yes"));
        arriving.text("901", GivenLoop.row(-5, "0.1", 'b', "no"));
        assertThat(arriving.look().position().seen()).isEqualTo(ROWS / 5 + 6);
        assertThat(arriving.look().position().seen()).isEqualTo(ROWS / 5 + 6);
    }
}
