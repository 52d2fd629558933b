package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.medley.api.world.FaultJob;
import dev.medley.cli.terminal.ExitCode;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.checkpoint.CheckpointStore;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Services, timeouts and closed terminals signal a run's command and all of its workers at once.
 */
@Tag("real")
@Timeout(480)
class GroupSignalTest {
    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "HUP"})
    void shouldKeepAllStepsWhenAllProcessesAreAskedToEnd(String signal) throws Exception {
        assumeTrue(File.separatorChar == '/', "skipped: Windows has no signals");
        FaultJob.writeEndless(folder, "workers: 2");
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml")) {
            medley.awaitStep(5);
            List<ProcessHandle> workers = medley.workers();
            assertThat(workers).hasSizeGreaterThanOrEqualTo(2);
            for (ProcessHandle worker : workers) {
                MedleyProcess.signal(signal, worker);
            }
            MedleyProcess.signal(signal, medley.handle());
            assertThat(medley.exitCode()).as(medley.said()).isEqualTo(ExitCode.INTERRUPTED);
            long last = RunRecord.read(medley.run()).summary().steps();
            assertThat(CheckpointStore.latest(medley.run().checkpoints()).usable())
                    .hasValueSatisfying(kept -> assertThat(kept.step()).isEqualTo(last));
            assertThat(RunRecord.read(medley.run()).summary().lostWorkers()).isZero();
        }
    }
}
