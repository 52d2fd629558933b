package dev.medley.cli.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.loop.state.DecisionRecord;
import dev.medley.loop.state.LoopRun;
import dev.medley.loop.state.StageOutcome;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A history fits the screen. */
@Tag("unit")
class LoopHistoryCommandTest {
    @Test
    void shouldGiveEachRunAndDecisionALineThatFits() {
        JsonNode none = Json.parse("{}", JsonNode.class);
        String longWhy = "3 of 17 columns have changed: \ud83d\ude00 ".repeat(40);
        LoopHistoryCommand.History history =
                new LoopHistoryCommand.History(
                        List.of(
                                new LoopRun(12, "by hand", 0, 0, 1L, StageOutcome.FAILED, "a\nb"),
                                new LoopRun(11, "publish", 0, 0, 1L, StageOutcome.DONE, "")),
                        List.of(
                                new DecisionRecord(12, 0, "drift", "changed", longWhy, none),
                                new DecisionRecord(11, 0, "promote", "version 2", "auc", none)));
        List<String> lines = LoopHistoryCommand.lines(history, 100);
        assertThat(lines).hasSize(4);
        assertThat(lines.get(0)).startsWith("   12  ").endsWith("by hand, failed: a b");
        assertThat(lines.get(1)).startsWith("       drift     changed: 3 of 17").endsWith("...");
        assertThat(lines.get(1).codePoints()).hasSize(99);
        assertThat(lines.get(3)).isEqualTo("       promote   version 2: auc");
    }
}
