package dev.medley.record.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.record.ManualClock;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.Runs;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a run of a record goes on, ended, or vanished with its process. */
@Tag("unit")
class EndedRunTest {
    private static final RecorderOptions FEW =
            new RecorderOptions(100, 1 << 20, 100, 1 << 20, 5_000_000_000L, 0);

    @TempDir Path runs;
    private final ManualClock clock = new ManualClock();

    @Test
    void shouldSayThatARunFailedWhenNobodyFinishedIt() {
        RunRecorder recorder = Runs.start(runs, FEW, clock);
        recorder.close();
        RunSummary summary = RunRecord.summary(recorder.folder());
        assertThat(summary.state()).isEqualTo(RunStatus.FAILED);
        assertThat(summary.message()).contains("without saying why");
    }

    @Test
    void shouldTellALivingRunFromOneThatVanished() throws Exception {
        RunFolder folder = RunFolder.create(runs, "made-up", clock);
        RunIdentity mine = Runs.identity(clock);
        try (RunRecorder recorder =
                RunRecorder.start(folder, mine, Runs.JOB, RecorderOptions.defaults(), clock)) {
            assertThat(RunRecord.summary(folder).state()).isEqualTo(RunStatus.RUNNING);
        }
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        RunIdentity ofTheDead =
                new RunIdentity(
                        "made-up",
                        1,
                        "medley train",
                        "0",
                        new RunProcess(mine.process().host(), dead.pid(), 12345));
        RunFolder other = RunFolder.create(runs, "made-up", clock);
        RunRecorder killed =
                RunRecorder.start(other, ofTheDead, Runs.JOB, RecorderOptions.defaults(), clock);
        assertThat(RunRecord.summary(other).state()).isEqualTo(RunStatus.VANISHED);
        killed.close();
    }

    @Test
    void shouldGoOnOnlyWithARunWhoseProcessHasEnded() {
        RunFolder folder;
        try (RunRecorder recorder = Runs.start(runs, FEW, clock)) {
            folder = recorder.folder();
            assertThatThrownBy(() -> RunRecord.requireEnded(recorder.folder()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("goes on in process " + ProcessHandle.current().pid());
        }
        RunRecord.requireEnded(folder);
        RunProcess elsewhere = new RunProcess("another-host", ProcessHandle.current().pid(), 0);
        RunFolder copied = RunFolder.create(runs, "copied", clock);
        RunIdentity identity = new RunIdentity("copied", 0, "medley train", "1", elsewhere);
        try (RunRecorder recorder = RunRecorder.start(copied, identity, Runs.JOB, FEW, clock)) {
            assertThat(RunRecord.summary(recorder.folder()).state()).isEqualTo(RunStatus.RUNNING);
            RunRecord.requireEnded(recorder.folder());
        }
    }
}
