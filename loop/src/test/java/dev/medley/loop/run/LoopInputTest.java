package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.loop.learn.LearntRows;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.stage.StageRunner;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Input that a loop cannot use, and machines that fail: each is said, and the next run goes on. */
@Tag("real")
@Timeout(240)
class LoopInputTest {
    private static final int ROWS = 300;

    @TempDir Path folder;
    private GivenLoop small;

    @BeforeEach
    void begin() throws Exception {
        small = GivenLoop.plain(folder);
    }

    @Test
    void aLabelThatDoesNotComeShouldBeSaidWithHowLongItIsOverdue() throws Exception {
        small.rows(0, ROWS, 0);
        Path rows = folder.resolve("things-0.csv");
        Files.writeString(rows, Files.readString(rows).replaceAll(",(yes|no)\n", ",\n"));
        Path file = small.loopFile("");
        Files.writeString(
                file, Files.readString(file).replace("label: y\n", "label: y\n  delay: 14d\n"));
        LoopRun run = GivenLoop.run(file);
        assertThat(run.outcome()).isEqualTo(StageOutcome.HELD);
        assertThat(run.why())
                .isEqualTo(
                        "rows: no row has a label yet: 300 wait for theirs, of which 300 are older"
                            + " than rows.delay, 14 days; does the column 'y' ever get a value?");
        small.rows(0, ROWS, 0);
        small.rows(ROWS, 2 * ROWS, 0);
        Path more = folder.resolve("things-%d.csv".formatted(ROWS));
        Files.writeString(more, Files.readString(more).replaceAll(",(yes|no)\n", ",\n"));
        assertThat(GivenLoop.run(file).outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(small.stage(2, "rows").why())
                .contains("300 wait for their label, of which 300 are older than rows.delay");
    }

    @Test
    void aQueryThatCannotBeReadShouldBeSaidBeforeAnythingBegins() throws Exception {
        small.rows(0, ROWS, 0);
        Path file = small.loopFile("");
        String good = Files.readString(file);
        String query = "SELECT id, t, x, w, c, y FROM things";
        Map<String, String> said =
                Map.of(
                        "SELECT id, at, x FROM things",
                        "rows.sql: syntax error at or near \",\", at line 1, character 14 of it: …,"
                                + " x",
                        query + "; SELECT 2",
                        "rows.sql: there are several queries; write one, without a semicolon",
                        "SELECT 'open",
                        "rows.sql: unterminated string literal");
        said.forEach(
                (sql, why) -> {
                    String text = good.replace("sql: " + query, "sql: \"" + sql + "\"");
                    assertThatThrownBy(() -> LoopFile.read(Files.writeString(file, text)))
                            .isInstanceOf(ConfigException.class)
                            .hasMessageContaining("small.yaml:")
                            .hasMessageContaining(why);
                });
        assertThat(folder.resolve("small.loop")).doesNotExist();
    }

    @Test
    void twoRowsWithOneKeyShouldBeNamed() throws Exception {
        small.rows(0, ROWS, 0);
        Path rows = folder.resolve("things-0.csv");
        List<String> lines = new ArrayList<>(Files.readAllLines(rows));
        lines.add(lines.get(7));
        Files.write(rows, lines);
        assertFailed("source things: the key [id] has the value [6] in 2 rows");
        Files.write(rows, lines.subList(0, lines.size() - 1));
        assertThat(small.run().outcome()).isEqualTo(StageOutcome.DONE);
        Path file = small.loopFile("");
        Files.writeString(
                file,
                Files.readString(file)
                        .replace(
                                "SELECT id, t, x, w, c, y FROM things",
                                "SELECT id, t, x, w, c, y FROM things UNION ALL SELECT id, t, x, w,"
                                        + " c, y FROM things WHERE id = 6"));
        assertFailed("rows: 2 rows have one key and time", "(id, t) = (6, ");
    }

    @Test
    void aClockThatWasPutBackShouldLoseNoRow() throws Exception {
        small.rows(0, ROWS, 0);
        Path file = small.loopFile("");
        long now = Clock.system().wallMillis();
        runAt(file, now);
        small.rows(ROWS, 2 * ROWS, 0);
        runAt(file, now - Duration.ofDays(3).toMillis());
        small.rows(2 * ROWS, 3 * ROWS, 0);
        runAt(file, now + Duration.ofDays(400).toMillis());
        small.rows(3 * ROWS, 4 * ROWS, 0);
        runAt(file, now);
        try (Loop loop = small.open()) {
            List<LoopRun> runs = loop.state().runs(9);
            assertThat(runs).allMatch(run -> run.outcome() == StageOutcome.DONE);
            for (int run = 1; run <= 4; run++) {
                LearntRows rows = GivenLoop.rows(loop, run);
                assertThat(rows.trainRows() + rows.newestRows()).isEqualTo((long) run * ROWS);
                assertThat(GivenLoop.asOf(loop, run))
                        .isGreaterThanOrEqualTo(run == 1 ? 0 : GivenLoop.asOf(loop, run - 1));
            }
        }
    }

    private static void runAt(Path file, long nowMs) throws IOException, InterruptedException {
        try (Loop loop = new Loop(LoopFile.read(file), System::getenv, new Given(nowMs))) {
            loop.run("by hand", new GivenLoop.CutAt(""));
        }
    }

    /** Says one time. */
    private record Given(long nowMs) implements Clock {
        @Override
        public long nowNs() {
            return Clock.system().nowNs();
        }

        @Override
        public long wallMillis() {
            return nowMs;
        }
    }

    @Test
    void theSecondOfTwoRunsAtOnceShouldBeToldWhoHoldsTheLoop() throws Exception {
        small.rows(0, ROWS, 0);
        List<String> said = new ArrayList<>();
        try (Loop loop = small.open()) {
            LoopRun run =
                    loop.run(
                            "by hand",
                            new AtStage(
                                    "rows",
                                    () ->
                                            assertThatThrownBy(small::run)
                                                    .isInstanceOf(ConfigException.class)
                                                    .satisfies(e -> said.add(e.getMessage()))));
            assertThat(run.outcome()).isEqualTo(StageOutcome.DONE);
            assertThat(loop.state().runs(9)).hasSize(1);
        }
        assertThat(said.get(0))
                .startsWith("loop small runs already: process " + ProcessHandle.current().pid())
                .contains("wait for it, or end it");
    }

    @Test
    void aColumnThatVanishedShouldBeSaidAndComeAgain() throws Exception {
        small.rows(0, ROWS, 0);
        small.run();
        Path rows = folder.resolve("things-0.csv");
        String all = Files.readString(rows);
        Files.writeString(rows, all.replaceAll("(?m)^([^,]*,[^,]*,)[^,]*,", "$1"));
        assertFailed("column", "x");
        Files.writeString(rows, all);
        small.rows(ROWS, 2 * ROWS, 0);
        assertThat(small.run().outcome()).isEqualTo(StageOutcome.DONE);
        try (Loop loop = small.open()) {
            LearntRows made = GivenLoop.rows(loop, loop.state().runs(1).get(0).number());
            assertThat(made.trainRows() + made.newestRows()).isEqualTo(2 * ROWS);
        }
    }

    @Test
    void aFullDiskShouldEndTheRunWithOneMessageAndTheNextShouldGoOn() throws Exception {
        Path disk = Files.createDirectories(folder.resolve("disk"));
        assumeThat(command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "" + disk))
                .as("needs the right to mount a small tmpfs")
                .isZero();
        try {
            small.rows(0, 20 * ROWS, 0);
            Path file = small.loopFile("state: disk/small");
            for (String size : List.of("80k", "160k", "240k", "480k", "8m")) {
                assertThat(command("mount", "-o", "remount,size=" + size, "" + disk)).isZero();
                assertThatThrownBy(() -> GivenLoop.run(file))
                        .as(size)
                        .isInstanceOfAny(ConfigException.class, IOException.class)
                        .hasMessageMatching("(?is).*(space|room|disk is full|full).*")
                        .satisfies(
                                e ->
                                        assertThat(e.getMessage())
                                                .doesNotContain("--run-dir")
                                                .contains(
                                                        size.equals("8m") ? "small/training/" : "",
                                                        size.equals("8m")
                                                                ? "another folder for the loop"
                                                                        + " with state: in its file"
                                                                : ""));
            }
            assertThat(command("mount", "-o", "remount,size=400m", "" + disk)).isZero();
            LoopRun run = GivenLoop.run(file);
            assertThat(run.outcome()).isEqualTo(StageOutcome.DONE);
            try (Loop loop = GivenLoop.open(file)) {
                LearntRows made = GivenLoop.rows(loop, run.number());
                assertThat(made.trainRows() + made.newestRows()).isEqualTo(20 * ROWS);
            }
        } finally {
            command("umount", "-l", "" + disk);
        }
    }

    private static int command(String... words) throws IOException, InterruptedException {
        return new ProcessBuilder(words).inheritIO().start().waitFor();
    }

    private void assertFailed(String... words) {
        assertThatThrownBy(() -> small.run())
                .isInstanceOf(ConfigException.class)
                .satisfies(e -> assertThat(e.getMessage()).contains(words));
    }

    /** Does something when a stage begins. */
    private record AtStage(String stage, Runnable what) implements StageRunner.Listener {
        @Override
        public void began(LoopRun run, boolean isTakenUp) {}

        @Override
        public void stage(String name) {
            if (name.equals(stage)) {
                what.run();
            }
        }

        @Override
        public void progress(String text) {}

        @Override
        public void ended(String name, StageEnd end) {}
    }
}
