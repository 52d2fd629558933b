package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.run.JobRun;
import dev.medley.profile.record.PlanRecord;
import dev.medley.profile.record.RunFolder;
import dev.medley.profile.record.RunRecord;
import dev.medley.profile.record.RunState;
import dev.medley.profile.record.StepRecord;
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

    /** What is dropped depends on how the batch is cut. */
    private static final String NO_DROPOUT = "model.dropout=0";

    @TempDir Path folder;

    @Test
    void anotherNumberOfWorkersShouldChangeNothingButRounding() throws Exception {
        FaultJob.write(folder, STEPS, "workers: 1");
        List<Double> whole;
        try (MedleyProcess medley =
                MedleyProcess.start(folder, "train", "job.yaml", "-s", NO_DROPOUT)) {
            assertThat(medley.exitCode()).as(medley.said()).isZero();
            whole = losses(RunRecord.read(medley.run()));
        }
        String runs = folder.resolve("parts").toString();
        Path run;
        try (MedleyProcess medley =
                MedleyProcess.start(
                        folder, "train", "job.yaml", "-s", NO_DROPOUT, "--run-dir", runs)) {
            medley.runsIn(runs).awaitStep(20);
            medley.interrupt();
            run = medley.run().path();
        }
        try (MedleyProcess medley =
                MedleyProcess.start(
                        folder, "train", "--resume", run.toString(), "--workers", "3")) {
            assertThat(medley.runsIn(runs).exitCode()).as(medley.said()).isZero();
            RunRecord record = RunRecord.read(medley.run());
            assertThat(record.summary().state()).isEqualTo(RunState.DONE);
            assertThat(record.plans())
                    .extracting(PlanRecord::workers)
                    .extracting(List::size)
                    .containsExactly(1, 3);
            assertThat(JobRun.jobOf(run).cluster().workers()).isEqualTo(3);
            FaultJob.assertNothingLostOrRepeated(record, STEPS);
            assertClose(losses(record), whole);
        }
    }

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

    private static void assertClose(List<Double> actual, List<Double> expected) {
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < actual.size(); i++) {
            assertThat(actual.get(i))
                    .as("loss of step %d", i + 1)
                    .isCloseTo(expected.get(i), within(1e-3 * expected.get(i) + 1e-5));
        }
    }
}
