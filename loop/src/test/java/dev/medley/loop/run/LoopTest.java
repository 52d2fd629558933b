package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.loop.learn.LearntRows;
import dev.medley.loop.learn.Watched;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import dev.medley.loop.watch.ColumnStanding;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A loop over files: what it learns, notices, decides and remembers. */
@Tag("real")
@Timeout(240)
class LoopTest {
    private static final int ROWS = 600;

    @TempDir Path folder;
    private GivenLoop small;

    @BeforeEach
    void begin() throws Exception {
        small = GivenLoop.plain(folder);
    }

    @Test
    void shouldNoticeAChangeTrainAnewAndPutTheBetterModelIntoProduction() throws Exception {
        small.rows(0, ROWS, 0);
        assertThat(small.run().outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(small.decision(1, "retrain")).contains("there is no model yet");
        assertThat(small.decision(1, "promote")).startsWith("promote");
        small.run();
        assertThat(small.stage(2, "train").outcome()).isEqualTo(StageOutcome.SKIPPED);
        assertThat(small.decision(2, "drift")).startsWith("none");
        // What was low is high now, and what it means is turned round.
        small.rows(ROWS, 3 * ROWS, 5);
        small.run();
        assertThat(small.decision(3, "drift"))
                .startsWith("changed: 2 of 4 (3 columns and the model's answers) have changed: x: ")
                .contains("it costs nothing for sure", "; its answers: ");
        assertThat(small.decision(3, "retrain"))
                .startsWith("yes")
                .contains("changed: x, its answers");
        Watched watched = Json.bind(small.stage(3, "watch").result(), Watched.class);
        assertThat(watched.columns()).extracting(c -> c.column()).startsWith("x");
        ColumnStanding x = watched.columns().get(0);
        assertThat(x.statistics()).isNotNull();
        assertThat(x.statistics().ks()).isGreaterThan(0.9);
        assertThat(x.statistics().psi()).isGreaterThan(1);
        assertThat(watched.since()).isEqualTo(2 * ROWS);
        assertThat(watched.expected()).isNotNull();
        assertThat(watched.measured()).isNotNull();
        assertThat(watched.measured().figure()).isLessThan(watched.expected().figure());
        assertThat(small.decision(3, "promote")).startsWith("promote");
        try (Loop loop = small.open()) {
            assertThat(loop.models().production()).contains(2);
            LearntRows first = GivenLoop.rows(loop, 1);
            LearntRows again =
                    loop.maker()
                            .again(GivenLoop.asOf(loop, 1), folder.resolve("again"), first.cutMs());
            assertThat(again.sha256()).isEqualTo(first.sha256());
            assertThat(first.sources()).containsExactly("things@1");
        }
        assertThat(folder.resolve("small.loop/loop.html")).content().contains("Flow of run 3");
    }

    @Test
    void aRunThatWasCutOffInAnyStageShouldEndAsOneThatWasNot() throws Exception {
        small.rows(0, ROWS, 0);
        for (String stage : small.stages()) {
            try (Loop loop = small.open()) {
                assertThatThrownBy(() -> loop.run("by hand", new GivenLoop.CutAt(stage)))
                        .isInstanceOf(AssertionError.class);
            }
        }
        LoopRun run = small.run();
        assertThat(run.number()).isOne();
        assertThat(run.outcome()).isEqualTo(StageOutcome.DONE);
        try (Loop loop = small.open()) {
            assertThat(loop.models().registry().versions("small")).hasSize(1);
            assertThat(loop.state().runs(9)).hasSize(1);
        }
    }

    @Test
    void anotherSetOfColumnsShouldMakeANewModelDueAndNotStopTheLoop() throws Exception {
        small.rows(0, ROWS, 0);
        small.run();
        Path file = small.loopFile("");
        Files.writeString(
                file, Files.readString(file).replace("id, t, x, w, c, y", "id, t, x, c, y"));
        small.rows(ROWS, 2 * ROWS, 0);
        try (Loop loop = GivenLoop.open(file)) {
            assertThat(loop.run("by hand", new GivenLoop.CutAt("")).outcome())
                    .isEqualTo(StageOutcome.DONE);
            assertThat(loop.state().decisions(9).stream().filter(d -> d.kind().equals("retrain")))
                    .first()
                    .satisfies(
                            d -> assertThat(d.why()).startsWith("definitions have changed: rows#"));
        }
    }

    @Test
    void aMetricThatIsNotOfWhatIsPredictedShouldBeRefused() throws Exception {
        small.rows(0, ROWS, 0);
        Path file = small.loopFile("");
        Files.writeString(file, Files.readString(file).replace("metric: auc", "metric: rmse"));
        try (Loop loop = GivenLoop.open(file)) {
            assertThatThrownBy(() -> loop.run("by hand", new GivenLoop.CutAt("")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("promote.metric: rmse judges a number")
                    .hasMessageContaining("use auc, accuracy or log_loss");
        }
    }

    @Test
    void rowsThatAreNotAsAgreedShouldEndTheRun() throws Exception {
        small.rows(0, ROWS, 0);
        Path file = small.loopFile("checks: [{table: things, check: range, columns: x, most: 0}]");
        try (Loop loop = GivenLoop.open(file)) {
            LoopRun run = loop.run("by hand", new GivenLoop.CutAt(""));
            assertThat(run.outcome()).isEqualTo(StageOutcome.HELD);
            assertThat(run.why()).startsWith("check: things: x lies between");
            assertThat(loop.models().production()).isEmpty();
        }
    }

    @Test
    void whatIsWrongWithAFileShouldBeSaidAtOnceWithItsPlace() throws Exception {
        Path file =
                Files.writeString(
                        folder.resolve("wrong.yaml"),
                        """
                        name: wrong
                        sources:
                          things: {files: "*.csv", key: id, filez: x}
                        rows: {sql: "SELECT 1", key: id, at: t}
                        job: job.yaml
                        """);
        assertThatThrownBy(() -> LoopFile.read(file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("wrong.yaml:3:")
                .hasMessageContaining("did you mean files?");
        Path more =
                Files.writeString(
                        folder.resolve("more.yaml"),
                        """
                        name: more
                        sources:
                          things: {files: "*.csv", jdbc: "jdbc:h2:x", key: id}
                        rows: {sql: "SELECT 1", key: id, at: t}
                        job: none.yaml
                        checks: [{table: thing, check: nulls, columns: x}]
                        """);
        assertThatThrownBy(() -> LoopFile.read(more))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("more.yaml:3:3: it says jdbc and files")
                .hasMessageContaining("more.yaml:5:1: job: there is no file")
                .hasMessageContaining("did you mean things?");
    }

    @Test
    void aColumnThatTheQueryDoesNotGiveShouldBeNamed() throws Exception {
        small.rows(0, ROWS, 0);
        Path file = small.loopFile("");
        Files.writeString(file, Files.readString(file).replace("label: y", "label: z"));
        try (Loop loop = GivenLoop.open(file)) {
            assertThatThrownBy(() -> loop.run("by hand", new GivenLoop.CutAt("")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("rows.sql gives no column 'z'; it gives");
            assertThat(loop.state().runs(1).get(0).outcome()).isEqualTo(StageOutcome.FAILED);
        }
    }
}
