package dev.medley.profile.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.ManualClock;
import dev.medley.profile.record.RecorderOptions;
import dev.medley.profile.record.RunFolder;
import dev.medley.profile.record.RunRecorder;
import dev.medley.profile.record.RunState;
import dev.medley.profile.record.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class RunTableTest {
    @TempDir Path runs;
    private final ManualClock clock = new ManualClock();

    @Test
    void shouldListRunsWithTheirFigures() {
        run(10, 0.75, Map.of("seed", 1));
        clock.passMillis(2000);
        RunFolder newest = run(20, 0.9, Map.of("seed", 2));
        List<RunTable.Row> rows = RunTable.rows(RunFolder.list(runs));
        assertThat(rows).extracting(RunTable.Row::steps).containsExactly(20L, 10L);
        assertThat(rows.get(0).run()).isEqualTo(newest.name());
        assertThat(rows.get(0).best()).isEqualTo(0.9);
        assertThat(rows.get(0).state()).isEqualTo(RunState.DONE);
        String text = RunTable.text(rows);
        assertThat(text.lines()).hasSize(3);
        assertThat(text.lines().skip(1).findFirst().get())
                .startsWith(newest.name())
                .contains("done")
                .contains("accuracy 0.9000")
                .contains("400 ms");
    }

    @Test
    void shouldSayWhenThereAreNone() {
        assertThat(RunTable.text(RunTable.rows(RunFolder.list(runs)))).contains("No runs yet");
    }

    @Test
    void shouldHaveARowForARunThatIsUnreadable() throws IOException {
        RunFolder broken = run(5, 0.5, Map.of());
        Files.writeString(broken.summary(), "{\"state\": 7");
        List<RunTable.Row> rows = RunTable.rows(RunFolder.list(runs));
        assertThat(rows.get(0).state()).isNull();
        assertThat(rows.get(0).message()).contains("summary.json");
        assertThat(RunTable.text(rows)).contains("unreadable");
    }

    private RunFolder run(int steps, double accuracy, Object job) {
        RunFolder folder = RunFolder.create(runs, "made-up", clock);
        try (RunRecorder recorder =
                RunRecorder.start(
                        folder, Runs.identity(clock), job, RecorderOptions.defaults(), clock)) {
            for (int step = 1; step <= steps; step++) {
                clock.passMillis(20);
                recorder.step(Runs.step(step, clock));
            }
            recorder.evaluation(Runs.evaluation(steps, accuracy, clock));
            recorder.finish(RunState.DONE, "Done.", null);
        }
        return folder;
    }
}
