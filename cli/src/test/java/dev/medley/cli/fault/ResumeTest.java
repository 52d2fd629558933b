package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.FaultJob;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.checkpoint.CheckpointStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run goes on with other means than it began with. */
@Tag("real")
@Timeout(240)
class ResumeTest {
    private static final int STEPS = 600;

    @TempDir Path folder;

    @Test
    void aRunKilledBeforeItsFirstCheckpointShouldBeginWithItsModelAgain() throws Exception {
        FaultJob.write(folder, STEPS, "workers: 1");
        String none = "checkpoint.every_steps=1000000";
        Path model;
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml", "-s", none)) {
            assertThat(medley.exitCode()).as(medley.said()).isZero();
            model = medley.run().model();
        }
        String runs = folder.resolve("more").toString();
        List<Double> before;
        RunFolder run;
        try (MedleyProcess medley =
                MedleyProcess.start(
                        folder,
                        "train",
                        "job.yaml",
                        "-s",
                        none,
                        "--init",
                        model.toString(),
                        "--run-dir",
                        runs)) {
            medley.runsIn(runs).awaitStep(20);
            medley.killAll();
            run = medley.run();
            before = losses(RunRecord.read(run));
        }
        assertThat(CheckpointStore.latest(run.checkpoints()).found()).isEmpty();
        try (MedleyProcess medley =
                MedleyProcess.start(folder, "train", "--resume", run.path().toString())) {
            assertThat(medley.runsIn(runs).exitCode()).as(medley.said()).isZero();
            assertThat(losses(RunRecord.read(run)))
                    .hasSize(STEPS)
                    .startsWith(before.toArray(Double[]::new));
        }
    }

    private static List<Double> losses(RunRecord record) {
        return record.steps().stream().map(StepRecord::loss).toList();
    }
}
