package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.profile.machine.MachineProfile.Speeds;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a run's record says of when its own machine was measured. */
@Tag("real")
@Timeout(120)
class MeasuredMachineTest {
    @TempDir Path folder;

    @Test
    void theNextRunShouldTakeWhatTheFirstMeasuredAndItsGuessesDoNotMatter() throws IOException {
        RunOptions options = Runs.in(folder.resolve("runs"), folder.resolve("cache"));
        MachineProfile first = machine(options);
        assertThat(first.look().speeds()).isEqualTo(Speeds.MEASURED);
        MachineProfile second = machine(options.withoutGuesses());
        assertThat(second.look().speeds()).isEqualTo(Speeds.KEPT);
        assertThat(second.look().why()).endsWith(", nothing has changed since");
        assertThat(second.wallMillis()).isEqualTo(first.wallMillis());
        assertThat(second.look().wallMillis()).isGreaterThan(first.look().wallMillis());
        assertThat(second.memory().bandwidthBytesPerSecond())
                .isEqualTo(first.memory().bandwidthBytesPerSecond());
    }

    private MachineProfile machine(RunOptions options) throws IOException {
        RunResult run = Runs.completed(SmallJob.in(folder, 1, 2), options, new RunProgress() {});
        RunRecord record = RunRecord.read(run.folder());
        return Json.bind(Objects.requireNonNull(record.machine()), MachineProfile.class);
    }
}
