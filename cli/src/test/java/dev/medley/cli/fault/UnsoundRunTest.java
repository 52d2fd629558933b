package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.memory.NamedSpan;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.store.checkpoint.Checkpoint;
import dev.medley.store.checkpoint.CheckpointStore;
import dev.medley.store.model.ModelFolder;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A loss that is no finite number, on two workers: one message, and what was good is kept. A linear
 * model with far too high a learning rate: the loss grows by a like factor in each step.
 */
@Tag("real")
@Timeout(240)
class UnsoundRunTest {
    private static final int BATCH = 24;
    private static final Pattern WHERE =
            Pattern.compile(
                    "Failed: the loss or its gradient is not a finite number in step (\\d+), on"
                        + " worker-[12], samples (\\d+) to (\\d+) of epoch 0; the parameters are"
                        + " those before the step");

    @TempDir Path folder;

    @Test
    void aRunawayLossShouldEndTheRunBeforeItSpoilsTheParameters() throws Exception {
        writeJob();
        try (MedleyProcess medley = MedleyProcess.start(folder, "train", "job.yaml")) {
            assertThat(medley.exitCode()).as(medley.said()).isEqualTo(2);
            long step = stepOf(medley.said());
            assertThat(medley.said())
                    .contains("train.optimizer.learning_rate", "train.clip_norm")
                    .doesNotContain("bug", "\tat ", "Exception", "Resume  ");
            assertStateBefore(step, medley.run());
            assertRecorded(step, medley.run());
            assertThat(ModelFolder.read(medley.run().model()).description().metrics())
                    .as("the model of the first evaluation, the best")
                    .isNotEmpty();
        }
    }

    /** Named once, with samples that belong to that step. */
    private static long stepOf(String said) {
        Matcher where = WHERE.matcher(said);
        assertThat(where.find()).as(said).isTrue();
        assertThat(said).containsOnlyOnce("not a finite number");
        long step = Long.parseLong(where.group(1));
        assertThat(step).as("it took a few steps").isGreaterThan(3);
        assertThat(Long.parseLong(where.group(2))).isGreaterThanOrEqualTo((step - 1) * BATCH);
        assertThat(Long.parseLong(where.group(3))).isLessThan(step * BATCH);
        return step;
    }

    private static void assertStateBefore(long step, RunFolder run) {
        Checkpoint last = CheckpointStore.latest(run.checkpoints()).found().orElseThrow();
        assertThat(last.step()).isEqualTo(step - 1);
        for (NamedSpan span : last.spans()) {
            FloatBuffer values = span.data().buffer().asFloatBuffer();
            for (int i = 0; i < values.remaining(); i++) {
                assertThat(values.get(i)).as("%s[%d]", span.name(), i).isFinite();
            }
        }
    }

    /** The losses on the way there are what shows the user what went wrong. */
    private static void assertRecorded(long step, RunFolder run) {
        RunRecord record = RunRecord.read(run);
        assertThat(record.summary().state()).isEqualTo(RunStatus.FAILED);
        assertThat(record.summary().resume()).as("it would end there again").isNull();
        assertThat(record.steps())
                .extracting(StepRecord::step)
                .hasSize((int) step - 1)
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(record.steps()).extracting(StepRecord::loss).isSorted();
    }

    private void writeJob() throws IOException {
        StringBuilder rows = new StringBuilder("a,b,y\n");
        for (int i = 0; i < 1000; i++) {
            rows.append("%d,%d,%d.5%n".formatted(i % 17, i % 23, i % 17 + 3 * (i % 23)));
        }
        Files.writeString(folder.resolve("t.csv"), rows);
        Files.writeString(
                folder.resolve("job.yaml"),
                """
                name: runaway
                data: {train: t.csv, label: y, split: 0.1}
                model: linear
                train:
                  steps: 1000
                  batch: %d
                  evaluate_every: 1
                  schedule: constant
                  optimizer: {kind: sgd, learning_rate: 100}
                cluster: {workers: 2, threads: 1, java_options: ["-XX:TieredStopAtLevel=1"]}
                checkpoint: {every_steps: 5, keep: 2}
                seed: 5
                """
                        .formatted(BATCH));
    }
}
