package dev.medley.spark.ml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.TrainingFailedException;
import dev.medley.api.run.RunProgress;
import dev.medley.base.ConfigException;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.RunSummary;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import dev.medley.spark.LocalCluster;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
@Timeout(600)
class ResumedFitTest {
    private static final int ROWS = 1000;
    private static final int EPOCHS = 10;
    private static final AtomicBoolean IS_ARMED = new AtomicBoolean();

    @TempDir Path folder;

    /** Interrupts the first run that takes some steps. */
    public static final class Interrupting implements RunProgress {
        private @Nullable Interruptible run;

        @Override
        public void interruptible(Interruptible now) {
            run = now;
        }

        @Override
        public void stepped(StepRecord step) {
            Interruptible now = run;
            if (now != null && step.step() >= 10 && IS_ARMED.getAndSet(false)) {
                now.interrupt();
            }
        }
    }

    private MedleyEstimator estimator(int batch) {
        return new MedleyEstimator()
                .setJob(
                        """
                        name: resumed
                        data: {label: y, task: regression, split: 0}
                        model: mlp
                        train: {epochs: %d, batch: %d, callbacks: ['%s']}
                        """
                                .formatted(EPOCHS, batch, Interrupting.class.getName()))
                .setNumWorkers(2)
                .setRunsFolder(folder.toString());
    }

    private static Dataset<Row> rows(int seed) {
        return LocalCluster.shared()
                .range(0, ROWS, 1, 4)
                .selectExpr("randn(%d) AS a".formatted(seed), "randn(2) AS b")
                .selectExpr("a", "b", "a + 2 * b AS y");
    }

    @Test
    void shouldGoOnWithARunThatBrokeOffIfRowsAndJobAreTheSame() {
        IS_ARMED.set(true);
        assertThatThrownBy(() -> estimator(64).fit(rows(1)))
                .isInstanceOf(TrainingFailedException.class);
        RunFolder run = RunFolder.find(folder, "latest");
        RunSummary before = RunRecord.summary(run);
        assertThat(before.state()).isEqualTo(RunStatus.INTERRUPTED);
        assertThat(before.steps()).isGreaterThanOrEqualTo(10);

        assertThatThrownBy(() -> estimator(50).setResume("latest").fit(rows(1)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("train.batch was 64 and is 50");
        assertThatThrownBy(() -> estimator(64).setResume("latest").fit(rows(7)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has changed since it began");

        assertThat(estimator(64).setResume("latest").fit(rows(1)).transform(rows(1)).count())
                .isEqualTo(ROWS);
        assertThat(RunFolder.list(folder)).hasSize(1);
        RunSummary after = RunRecord.summary(run);
        assertThat(after.state()).isEqualTo(RunStatus.DONE);
        assertThat(after.samples()).isEqualTo((long) ROWS * EPOCHS);
        assertThatThrownBy(() -> estimator(64).setResume("latest").fit(rows(1)))
                .hasMessageContaining("is done, and its model is in");
    }
}
