package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.loop.learn.LearntRows;
import dev.medley.loop.learn.Watched;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.StageRunner;
import dev.medley.loop.state.DecisionRecord;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import dev.medley.loop.state.StageRecord;
import dev.medley.loop.watch.ColumnStanding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A loop over files: what it learns, notices, decides and remembers. */
@Tag("real")
@Timeout(240)
class LoopTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int ROWS = 600;

    @TempDir Path folder;

    @Test
    void shouldNoticeAChangeTrainAnewAndPutTheBetterModelIntoProduction() throws Exception {
        write(0, ROWS, 0);
        assertThat(run().outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(decision(1, "retrain")).contains("there is no model yet");
        assertThat(decision(1, "promote")).startsWith("promote");
        run();
        assertThat(stage(2, "train").outcome()).isEqualTo(StageOutcome.SKIPPED);
        assertThat(decision(2, "drift")).startsWith("none");
        // What was low is high now, and what it means is turned round.
        write(ROWS, 3 * ROWS, 5);
        run();
        assertThat(decision(3, "drift"))
                .startsWith("changed: 2 of 4 (3 columns and the model's answers) have changed: x: ")
                .contains("the shift of x alone", "; its answers: ");
        assertThat(decision(3, "retrain")).startsWith("yes").contains("changed: x, its answers");
        Watched watched = Json.bind(stage(3, "watch").result(), Watched.class);
        assertThat(watched.columns()).extracting(c -> c.column()).startsWith("x");
        ColumnStanding x = watched.columns().get(0);
        assertThat(x.statistics()).isNotNull();
        assertThat(x.statistics().ks()).isGreaterThan(0.9);
        assertThat(x.statistics().psi()).isGreaterThan(1);
        assertThat(watched.since()).isEqualTo(2 * ROWS);
        assertThat(watched.expected()).isNotNull();
        assertThat(watched.measured()).isNotNull();
        assertThat(watched.measured().figure()).isLessThan(watched.expected().figure());
        assertThat(decision(3, "promote")).startsWith("promote");
        try (Loop loop = open()) {
            assertThat(loop.models().production()).contains(2);
            LearntRows first = rows(loop, 1);
            LearntRows again =
                    loop.maker().again(asOf(loop, 1), folder.resolve("again"), first.cutMs());
            assertThat(again.sha256()).isEqualTo(first.sha256());
            assertThat(first.sources()).containsExactly("things@1");
        }
        assertThat(folder.resolve("small.loop/loop.html")).content().contains("Flow of run 3");
    }

    @Test
    void aRunThatWasCutOffInAnyStageShouldEndAsOneThatWasNot() throws Exception {
        write(0, ROWS, 0);
        for (String stage : stages()) {
            try (Loop loop = open()) {
                assertThatThrownBy(() -> loop.run("by hand", new CutAt(stage)))
                        .isInstanceOf(AssertionError.class);
            }
        }
        LoopRun run = run();
        assertThat(run.number()).isOne();
        assertThat(run.outcome()).isEqualTo(StageOutcome.DONE);
        try (Loop loop = open()) {
            assertThat(loop.models().registry().versions("small")).hasSize(1);
            assertThat(loop.state().runs(9)).hasSize(1);
        }
    }

    @Test
    void anotherSetOfColumnsShouldMakeANewModelDueAndNotStopTheLoop() throws Exception {
        write(0, ROWS, 0);
        run();
        Path file = loopFile("");
        Files.writeString(
                file, Files.readString(file).replace("id, t, x, w, c, y", "id, t, x, c, y"));
        write(ROWS, 2 * ROWS, 0);
        try (Loop loop = new Loop(LoopFile.read(file), System::getenv, Clock.system())) {
            assertThat(loop.run("by hand", new CutAt("")).outcome()).isEqualTo(StageOutcome.DONE);
            assertThat(loop.state().decisions(9).stream().filter(d -> d.kind().equals("retrain")))
                    .first()
                    .satisfies(
                            d -> assertThat(d.why()).startsWith("definitions have changed: rows#"));
        }
    }

    @Test
    void aMetricThatIsNotOfWhatIsPredictedShouldBeRefused() throws Exception {
        write(0, ROWS, 0);
        Path file = loopFile("");
        Files.writeString(file, Files.readString(file).replace("metric: auc", "metric: rmse"));
        try (Loop loop = new Loop(LoopFile.read(file), System::getenv, Clock.system())) {
            assertThatThrownBy(() -> loop.run("by hand", new CutAt("")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("promote.metric: rmse judges a number")
                    .hasMessageContaining("use auc, accuracy or log_loss");
        }
    }

    @Test
    void rowsThatAreNotAsAgreedShouldEndTheRun() throws Exception {
        write(0, ROWS, 0);
        Path file = loopFile("checks: [{table: things, check: range, columns: x, most: 0}]");
        try (Loop loop = new Loop(LoopFile.read(file), System::getenv, Clock.system())) {
            LoopRun run = loop.run("by hand", new CutAt(""));
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
        write(0, ROWS, 0);
        Path file = loopFile("");
        Files.writeString(file, Files.readString(file).replace("label: y", "label: z"));
        try (Loop loop = new Loop(LoopFile.read(file), System::getenv, Clock.system())) {
            assertThatThrownBy(() -> loop.run("by hand", new CutAt("")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("rows.sql gives no column 'z'; it gives");
            assertThat(loop.state().runs(1).get(0).outcome()).isEqualTo(StageOutcome.FAILED);
        }
    }

    private LoopRun run() throws IOException, InterruptedException {
        try (Loop loop = open()) {
            return loop.run("by hand", new CutAt(""));
        }
    }

    private Loop open() throws IOException {
        return new Loop(LoopFile.read(loopFile("")), System::getenv, Clock.system());
    }

    private Path loopFile(String more) throws IOException {
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: small
                data: {train: the-loops, label: y}
                model: {family: boosting, rounds: 8}
                cluster: {workers: 1}
                """);
        return Files.writeString(
                folder.resolve("small.yaml"),
                """
                name: small
                sources:
                  things: {files: "things-*.csv", key: id, types: {x: real, w: real, t: datetime}}
                rows:
                  sql: SELECT id, t, x, w, c, y FROM things
                  key: id
                  at: t
                  label: y
                job: job.yaml
                retrain: {drift: true}
                promote: {metric: auc, newest: 20%%}
                %s
                """
                        .formatted(more));
    }

    /** LearntRows from one number to another, whose x is higher by {@code shift}. */
    private void write(int from, int to, double shift) throws IOException {
        RandomGenerator random = Seeds.generator(from + 1);
        StringBuilder rows = new StringBuilder("id,t,x,w,c,y\n");
        for (int i = from; i < to; i++) {
            double x = random.nextGaussian();
            boolean isYes = (x > 0) ^ (shift > 0) ^ (random.nextInt(10) == 0);
            rows.append(
                    "%d,%s,%.4f,%.4f,%s,%s\n"
                            .formatted(
                                    i,
                                    START.plus(i, ChronoUnit.HOURS).toString().replace("Z", ""),
                                    x + shift,
                                    random.nextGaussian(),
                                    "abc".charAt(random.nextInt(3)),
                                    isYes ? "yes" : "no"));
        }
        Files.writeString(folder.resolve("things-%d.csv".formatted(from)), rows);
    }

    private String decision(long run, String kind) throws IOException {
        try (Loop loop = open()) {
            return loop.state().decisions(99).stream()
                    .filter(d -> d.run() == run && d.kind().equals(kind))
                    .map((DecisionRecord d) -> d.verdict() + ": " + d.why())
                    .findFirst()
                    .orElse("");
        }
    }

    private StageRecord stage(long run, String name) throws IOException {
        try (Loop loop = open()) {
            return found(loop, run, name).orElseThrow();
        }
    }

    private static Optional<StageRecord> found(Loop loop, long run, String name) {
        return loop.state().stages(run).stream().filter(s -> s.name().equals(name)).findFirst();
    }

    private static LearntRows rows(Loop loop, long run) {
        return Json.bind(found(loop, run, "rows").orElseThrow().result(), LearntRows.class);
    }

    private static long asOf(Loop loop, long run) {
        return found(loop, run, "known").orElseThrow().result().path("asOfMs").longValue();
    }

    private List<String> stages() throws IOException {
        try (Loop loop = open()) {
            return loop.stageNames();
        }
    }

    /** Ends as a killed process would, when a stage begins. */
    private static final class CutAt implements StageRunner.Listener {
        private final String stage;

        CutAt(String stage) {
            this.stage = stage;
        }

        @Override
        public void began(LoopRun run, boolean isTakenUp) {}

        @Override
        public void stage(String name) {
            if (name.equals(stage)) {
                throw new AssertionError("killed in " + name);
            }
        }

        @Override
        public void progress(String text) {}

        @Override
        public void ended(String name, StageEnd end) {}
    }
}
