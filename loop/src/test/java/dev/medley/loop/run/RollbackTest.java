package dev.medley.loop.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.loop.stage.StageEnd;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import dev.medley.serving.registry.RegistryEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is taken back answers again as it did, and what was taken back stays away. */
@Tag("real")
@Timeout(240)
class RollbackTest {
    private static final int ROWS = GivenLoop.ROWS;

    @TempDir Path folder;

    @Test
    void shouldRestoreEveryByteAndPromoteTheLikeByNewEvidenceAlone() throws Exception {
        GivenLoop loop = new GivenLoop(folder);
        loop.rows(0, ROWS, 0);
        loop.run();
        byte[] answers = Files.readAllBytes(folder.resolve("small.loop/runs/1/scored.parquet"));
        Map<String, byte[]> first = model(loop, 1);
        loop.rows(ROWS, 3 * ROWS, 5);
        loop.run();
        assertThat(loop.production()).isEqualTo(2);
        LoopRun taken = rollback(loop, null);
        assertThat(taken.cause()).isEqualTo("rollback");
        assertThat(loop.production()).isOne();
        assertThat(loop.decision(3, "rollback"))
                .startsWith("to version 1: version 1 answers again in place of version 2: calls");
        assertThat(loop.stage(3, "rollback").result().path("to").path("weightsSha256").asString(""))
                .hasSize(64);
        Map<String, byte[]> again = model(loop, 1);
        assertThat(again).containsOnlyKeys(first.keySet());
        again.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(first.get(name)));
        // Nothing has come: the run promotes nothing, and answers as version 1 did.
        loop.run();
        assertThat(loop.decision(4, "retrain")).startsWith("no: held, as version 2");
        assertThat(loop.production()).isOne();
        assertThat(folder.resolve("small.loop/runs/4/scored.parquet")).hasBinaryContent(answers);
        // A few rows are no evidence; many are, and only they judge.
        loop.rows(3 * ROWS, 3 * ROWS + 10, 5);
        loop.run();
        assertThat(loop.decision(5, "retrain")).startsWith("no: held").contains("and has 10");
        loop.rows(3 * ROWS + 10, 3 * ROWS + 200, 5);
        loop.run();
        assertThat(loop.stage(6, "rows").result().path("newestRows").intValue()).isEqualTo(200);
        assertThat(loop.decision(6, "promote")).startsWith("promote: version 3").contains("200 r");
        assertThat(loop.production()).isEqualTo(3);
    }

    @Test
    void aPersonShouldReleaseWhatIsHeldAndAskWhoAnsweredWhen() throws Exception {
        GivenLoop loop = new GivenLoop(folder);
        loop.rows(0, ROWS, 0);
        loop.run();
        assertThatThrownBy(() -> rollback(loop, null))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("there is none before it");
        long firstMs = at(loop);
        loop.rows(ROWS, 3 * ROWS, 5);
        loop.run();
        long secondMs = at(loop);
        assertThatThrownBy(() -> rollback(loop, 7)).hasMessageContaining("has no version 7");
        assertThatThrownBy(() -> rollback(loop, 2)).hasMessageContaining("answers already");
        rollback(loop, 1);
        try (Loop opened = loop.open()) {
            assertThat(opened.models().productionAt(firstMs)).get().returns(1, e -> e.version());
            assertThat(opened.models().productionAt(secondMs)).get().returns(2, e -> e.version());
            assertThat(opened.models().productionAt(Long.MAX_VALUE))
                    .get()
                    .returns(1, RegistryEvent::version)
                    .returns("calls doubled", RegistryEvent::why);
            assertThat(opened.models().productionAt(firstMs - 3_600_000)).isEmpty();
            opened.rollbacks(new GivenLoop.Quiet()).release("it was the network");
            assertThatThrownBy(() -> opened.rollbacks(new GivenLoop.Quiet()).release("again"))
                    .hasMessageContaining("nothing is held back");
        }
        assertThat(loop.decision(4, "release")).startsWith("released");
        loop.rows(3 * ROWS, 3 * ROWS + 120, 5);
        loop.run();
        assertThat(loop.production()).isEqualTo(3);
    }

    @Test
    void oneThatWasCutOffShouldEndOnceAndNotGoFurtherBack() throws Exception {
        GivenLoop loop =
                new GivenLoop(folder).with("promote: {metric: auc, newest: 20%, margin: 1}", "");
        loop.rows(0, ROWS, 0);
        loop.run();
        loop.rows(ROWS, 3 * ROWS, 5);
        loop.run();
        loop.rows(3 * ROWS, 6 * ROWS, 0);
        loop.run();
        assertThat(loop.production()).isEqualTo(3);
        try (Loop opened = loop.open()) {
            opened.state().begin("by hand", 0); // A run that was cut off before.
            assertThatThrownBy(() -> opened.rollbacks(new CutBehind()).rollback(null, "ann", "x"))
                    .isInstanceOf(AssertionError.class);
            assertThat(opened.state().runs(2).get(1).why()).startsWith("cut off; production was");
            opened.state().beginStage(opened.state().runs(1).get(0), 0, "rollback");
        }
        assertThat(loop.production()).isEqualTo(2);
        assertThat(rollback(loop, null).outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(loop.production()).isEqualTo(2);
        assertThat(rollback(loop, null).outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(loop.production()).isOne();
    }

    private static LoopRun rollback(GivenLoop loop, Integer to)
            throws IOException, InterruptedException {
        try (Loop opened = loop.open()) {
            return opened.rollbacks(new GivenLoop.Quiet()).rollback(to, "ann", "calls doubled");
        }
    }

    /** When production was changed last. */
    private static long at(GivenLoop loop) {
        try (Loop opened = loop.open()) {
            return opened.models().productionAt(Long.MAX_VALUE).orElseThrow().atMillis();
        }
    }

    private static Map<String, byte[]> model(GivenLoop loop, int version) throws IOException {
        try (Loop opened = loop.open();
                Stream<Path> files = Files.walk(opened.models().model(version))) {
            Map<String, byte[]> all = new TreeMap<>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.put(file.getFileName().toString(), Files.readAllBytes(file));
            }
            return all;
        }
    }

    /** Ends as a killed process would, when the deed is done. */
    private static final class CutBehind extends GivenLoop.Quiet {
        @Override
        public void ended(String name, StageEnd end) {
            throw new AssertionError("killed behind " + name);
        }
    }
}
