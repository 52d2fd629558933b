package dev.medley.loop.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.time.Clock;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.LoopState;
import dev.medley.loop.state.StageOutcome;
import dev.medley.loop.state.StageRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class StageRunnerTest {
    @TempDir Path folder;

    private final List<String> worked = new ArrayList<>();
    private LoopState state;

    @BeforeEach
    void open() {
        state = LoopState.inFolder(folder, "churn", Clock.system());
    }

    @AfterEach
    void close() {
        state.close();
    }

    @Test
    void aRunThatWasCutOffShouldGoOnWhereItWasWithWhatItKnew() throws Exception {
        assertThatThrownBy(() -> run(7, stage("a"), stage("b"), killed()))
                .isInstanceOf(AssertionError.class); // As an end of the process would.
        LoopRun run = run(99, stage("a"), stage("b"), stage("c"), stage("d"));
        assertThat(worked).containsExactly("a", "b saw a", "c saw a, b", "d saw a, b, c");
        assertThat(run.asOfMs()).isEqualTo(7);
        assertThat(run.outcome()).isEqualTo(StageOutcome.DONE);
        assertThat(state.runs(9)).hasSize(1);
    }

    @Test
    void aStageThatFailsShouldEndTheRunAndBeginTheNextOneAnew() throws Exception {
        LoopStage fails =
                new Named("b") {
                    @Override
                    public StageEnd work(StageContext context) {
                        throw new ConfigException("b.yaml:3:1: no such column");
                    }
                };
        assertThatThrownBy(() -> run(1, stage("a"), fails))
                .hasMessage("b.yaml:3:1: no such column");
        assertThat(state.runs(1).get(0).outcome()).isEqualTo(StageOutcome.FAILED);
        assertThat(state.runs(1).get(0).why()).isEqualTo("b: b.yaml:3:1: no such column");
        assertThat(run(2, stage("a"), stage("b")).number()).isEqualTo(2);
        assertThat(worked).containsExactly("a", "a", "b saw a");
    }

    @Test
    void aStageThatHoldsShouldEndTheRunThere() throws Exception {
        LoopStage holds =
                new Named("check") {
                    @Override
                    public StageEnd work(StageContext context) {
                        context.decide("check", "held", "12 nulls", Map.of("nulls", 12));
                        return StageEnd.held("12 nulls", Map.of());
                    }
                };
        LoopRun run = run(1, stage("a"), holds, stage("b"));
        assertThat(run.outcome()).isEqualTo(StageOutcome.HELD);
        assertThat(run.why()).isEqualTo("check: 12 nulls");
        assertThat(state.stages(1)).extracting(StageRecord::name).containsExactly("a", "check");
        assertThat(state.decisions(1).get(0).numbers().path("nulls").intValue()).isEqualTo(12);
    }

    private LoopRun run(long asOfMs, LoopStage... stages) throws IOException, InterruptedException {
        return new StageRunner(state, new Silent())
                .run("by hand", asOfMs, "the file", List.of(stages));
    }

    private LoopStage stage(String name) {
        return new Named(name) {
            @Override
            public StageEnd work(StageContext context) {
                String saw =
                        String.join(", ", context.results().keySet().stream().sorted().toList());
                worked.add(saw.isEmpty() ? name : name + " saw " + saw);
                return StageEnd.done("done", Map.of("name", name));
            }
        };
    }

    private static LoopStage killed() {
        return new Named("c") {
            @Override
            public StageEnd work(StageContext context) {
                throw new AssertionError("killed");
            }
        };
    }

    private abstract static class Named implements LoopStage {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }
    }

    private static final class Silent implements StageRunner.Listener {
        @Override
        public void began(LoopRun run, boolean isTakenUp) {}

        @Override
        public void stage(String name) {}

        @Override
        public void progress(String text) {}

        @Override
        public void ended(String name, StageEnd end) {}
    }
}
