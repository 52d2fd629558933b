package dev.medley.cli.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.cli.terminal.Screen;
import dev.medley.cli.terminal.Terminal;
import dev.medley.profile.record.MetricValue;
import dev.medley.profile.record.MetricValue.Better;
import dev.medley.profile.record.RunFolder;
import dev.medley.profile.record.RunState;
import dev.medley.profile.record.RunSummary;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class RunEndTest {
    @TempDir private Path folder;

    @Test
    void shouldAlignMetricsAndSayWhereItWasInterrupted() {
        assertThat(said(RunState.DONE, "the budget is used up"))
                .contains("Done: the budget is used up")
                .contains("Validation auc       0.9724", "Validation log_loss  0.2346");
        assertThat(said(RunState.INTERRUPTED, "interrupted")).contains("Interrupted after step 7");
    }

    @Test
    void shouldShowNoControlCharactersOfAModelsText() {
        assertThat(Samples.visible("a\u001b[2J\u0007b\tc\nd")).isEqualTo("a\uFFFD[2J\uFFFDb\tc\nd");
    }

    private List<String> said(RunState state, String message) {
        StringWriter out = new StringWriter();
        Terminal terminal =
                new Terminal(
                        new PrintWriter(out), new PrintWriter(new StringWriter()), Screen.NONE);
        List<MetricValue> metrics =
                List.of(
                        new MetricValue("auc", 0.9724, Better.HIGHER),
                        new MetricValue("log_loss", 0.2346, Better.LOWER));
        new RunEnd(terminal)
                .print(
                        new RunFolder(folder),
                        new RunSummary(
                                state, message, null, 0, 1, 7, 70, 1, 1, 0.5, metrics, null,
                                List.of(), 0, 0));
        return out.toString().lines().toList();
    }
}
