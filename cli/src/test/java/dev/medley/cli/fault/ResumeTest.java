package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.FaultJob;
import dev.medley.api.world.World;
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
    private static final int STEPS = 200;

    @TempDir Path folder;

    @Test
    void aRunKilledBeforeItsFirstCheckpointShouldBeginWithItsModelAgain() throws Exception {
        FaultJob.write(folder, STEPS, "workers: 1");
        String none = "checkpoint.every_steps=1000000";
        try (World world = new World(folder)) {
            Path model = world.train(none).completed().folder().model();
            String runs = folder.resolve("more").toString();
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
            }
            List<Double> before = losses(RunRecord.read(run));
            assertThat(CheckpointStore.latest(run.checkpoints()).found()).isEmpty();
            assertThat(losses(world.resume(run.path()).completed()))
                    .hasSize(STEPS)
                    .startsWith(before.toArray(Double[]::new));
        }
    }

    private static List<Double> losses(RunRecord record) {
        return record.steps().stream().map(StepRecord::loss).toList();
    }
}
