package dev.medley.loop.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class LoopStateTest {
    private static final Clock CLOCK = Clock.system();

    @TempDir Path folder;

    @Test
    void whatWasSaidShouldBeThereForWhoeverOpensItNext() {
        try (LoopState state = LoopState.inFolder(folder, "churn", CLOCK)) {
            LoopRun run = state.begin("by hand", 17);
            state.beginStage(run, 0, "sync customers");
            state.endStage(run, 0, StageOutcome.DONE, "3 rows", Json.tree(Map.of("rows", 3)));
            state.beginStage(run, 1, "train");
            state.decide(run, "retrain", "yes", "there is no model", Json.tree(Map.of("age", 0)));
            state.remember("position", Json.tree(List.of(1, 2)));
        }
        try (LoopState state = LoopState.inFolder(folder, "churn", CLOCK);
                LoopState other = LoopState.inFolder(folder.resolve("another"), "another", CLOCK)) {
            LoopRun run = state.unended().orElseThrow();
            assertThat(run.number()).isOne();
            assertThat(run.asOfMs()).isEqualTo(17);
            assertThat(state.stages(1))
                    .extracting(StageRecord::outcome)
                    .containsExactly(StageOutcome.DONE, StageOutcome.RUNNING);
            assertThat(state.stages(1).get(0).result().path("rows").intValue()).isEqualTo(3);
            assertThat(state.decisions(5))
                    .extracting(DecisionRecord::verdict)
                    .containsExactly("yes");
            assertThat(state.fact("position").orElseThrow().size()).isEqualTo(2);
            assertThat(other.runs(5)).isEmpty();
            assertThat(other.fact("position")).isEmpty();
            state.end(run, StageOutcome.DONE, "all done");
            assertThat(state.unended()).isEmpty();
            assertThatThrownBy(() -> LoopState.inFolder(folder, "another", CLOCK))
                    .hasMessageContaining("is the folder of loop churn");
            assertThat(state.begin("schedule", 18).number()).isEqualTo(2);
        }
    }

    @Test
    void aLoopShouldRunOnceAtATime() {
        try (LoopState state = LoopState.inFolder(folder, "churn", CLOCK);
                LoopState second = LoopState.inFolder(folder, "churn", CLOCK)) {
            try (LoopLock lock = LoopLock.take(state, folder, Instant.EPOCH)) {
                assertThat(lock).isNotNull();
                assertThatThrownBy(() -> LoopLock.take(second, folder, Instant.EPOCH))
                        .isInstanceOf(ConfigException.class)
                        .hasMessageContaining("loop churn runs already: process")
                        .hasMessageContaining(Long.toString(ProcessHandle.current().pid()));
                assertThat(second.runs(5)).isEmpty(); // Reading goes on.
            }
            LoopLock.take(second, folder, Instant.EPOCH).close();
        }
    }

    @Test
    void aFileThatIsNoStateShouldBeNamed() throws Exception {
        java.nio.file.Files.writeString(folder.resolve("loop.db"), "a text that is no database");
        assertThatThrownBy(() -> LoopState.inFolder(folder, "churn", CLOCK))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("loop.db: the loop's state does not open");
    }
}
