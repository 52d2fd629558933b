package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.time.Clock;
import dev.medley.loop.spec.LoopFile;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A model answers rows of sources whose columns it can read, and no others. */
@Tag("real")
@Timeout(240)
class SchemaReadsTest {
    @TempDir Path folder;

    @Test
    void moreColumnsShouldBeFineAndAnotherKindOfAUsedOneShouldNot() throws Exception {
        GivenLoop given = new GivenLoop(folder);
        given.rows(0, GivenLoop.ROWS, 0);
        Files.writeString(
                given.file(),
                Files.readString(given.file())
                        .replace(
                                "key: id, types",
                                "key: id, contract: {retyped: evolve, narrowed: evolve}, types")
                        .replace("promote: {metric: auc", "promote: {by_hand: true, metric: auc")
                        .replace("SELECT id, t, x, w, c, y", "SELECT id, t, x, c, y")
                        .replace("SELECT id, x, w, c FROM", "SELECT id, x, c FROM"));
        run(given);
        try (Loop loop = new Loop(LoopFile.read(given.file()), n -> null, Clock.system())) {
            loop.models().promote(1, "a person");
            assertThat(loop.state().fact("reads 1").orElseThrow().toString())
                    .contains("\"x\":\"REAL\"")
                    .doesNotContain("\"w\":");
        }
        // A column more, and one that no query uses is of another kind.
        Path file = folder.resolve("things-0.csv");
        StringBuilder more = new StringBuilder();
        for (String line : Files.readAllLines(file)) {
            more.append(line).append(line.startsWith("id") ? ",more" : ",1").append('\n');
        }
        Files.writeString(file, more);
        retype(given, "w: real", "w: text");
        assertThat(run(given).outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(given.stage(2, "score").why()).isEqualTo("10 rows by version 1");
        // One that the model reads is of another kind.
        retype(given, "x: real", "x: text");
        LoopRun held = run(given);
        assertThat(held.outcome()).isEqualTo(StageOutcome.HELD);
        assertThat(held.why())
                .startsWith("score: version 1 cannot read the sources as they are: it reads things")
                .contains("'x' is TEXT, and was REAL", "no answers are given until");
        assertThat(given.decision(3, "retrain")).startsWith("yes: it reads things");
    }

    private static LoopRun run(GivenLoop given) throws IOException, InterruptedException {
        try (Loop loop = new Loop(LoopFile.read(given.file()), n -> null, Clock.system())) {
            return loop.run("by hand", new GivenLoop.Quiet());
        }
    }

    private static void retype(GivenLoop given, String from, String to) throws IOException {
        Files.writeString(given.file(), Files.readString(given.file()).replace(from, to));
    }
}
