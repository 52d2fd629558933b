package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.store.checkpoint.CheckpointStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run with workers of its own that ends by an exception of who watches it. */
@Tag("real")
@Timeout(120)
class BrokenCallbackTest {
    private static final long LAST_STEP = 40;

    @TempDir Path folder;

    /** No checkpoint is due for a long while yet. */
    @Test
    void theRunShouldKeepWhatItsWorkersHoldBeforeItEnds() throws Exception {
        JobSpec small = SmallJob.in(folder, 2, 100_000).job();
        JobSpec job = small.with(small.train(), new CheckpointSpec(90_000, 0, 3));
        Path runs = folder.resolve("runs");
        assertThatThrownBy(() -> JobRun.train(job, RunOptions.in(runs), new Breaking()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a callback");
        RunFolder run = RunFolder.list(runs).get(0);
        assertThat(CheckpointStore.latest(run.checkpoints()).found())
                .hasValueSatisfying(
                        kept -> assertThat(kept.step()).isGreaterThanOrEqualTo(LAST_STEP));
    }

    private static final class Breaking implements RunProgress {
        @Override
        public void stepped(StepRecord step) {
            if (step.step() >= LAST_STEP) {
                throw new IllegalStateException("a callback");
            }
        }
    }
}
