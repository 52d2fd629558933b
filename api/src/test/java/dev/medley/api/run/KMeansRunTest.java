package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.JobSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("real")
class KMeansRunTest {
    private static final int ROWS = 900;

    @TempDir Path folder;

    @BeforeEach
    void writeTable() throws IOException {
        RandomGenerator random = Seeds.generator(3);
        StringBuilder rows = new StringBuilder("spent,visits,city\n");
        for (int i = 0; i < ROWS; i++) {
            boolean isLarge = i % 3 == 0;
            rows.append((isLarge ? 900 : 100) + 40 * random.nextGaussian())
                    .append(',')
                    .append((i % 2 == 0 ? 4 : 20) + random.nextGaussian())
                    .append(isLarge ? ",north\n" : ",south\n");
        }
        Files.writeString(folder.resolve("t.csv"), rows, StandardCharsets.UTF_8);
    }

    private JobSpec job(String model, int workers) {
        String yaml =
                "name: k\ndata: {train: t.csv}\nmodel: {family: kmeans, %s}\n".formatted(model)
                        + "cluster: {workers: %d, threads: 1}\n".formatted(workers);
        return JobFile.parse("k.yaml", yaml, folder, List.of()).spec();
    }

    private RunResult train(JobSpec job, RunProgress progress) {
        RunOptions options = Runs.in(folder.resolve("runs"), folder.resolve("cache"));
        RunResult result = JobRun.train(job, options, progress);
        assertThat(result.outcome().kind())
                .as(result.outcome().why())
                .isEqualTo(RunOutcome.Kind.COMPLETED);
        return result;
    }

    /** Kills a worker when so many steps have been reported. */
    private record Killing(long step) implements RunProgress {
        @Override
        public void stepped(StepRecord record) {
            if (record.step() == step) {
                Runs.killAWorker();
            }
        }
    }

    @Test
    void aKilledWorkerAndOtherNumbersOfThemShouldLeaveTheCentresAsTheyAre() {
        JobSpec job = job("k: 4, restarts: 150, tolerance: 0", 2);
        RunResult whole = train(job, RunProgress.NONE);
        assertThat(whole.outcome().why()).contains("the lowest of 150 fits (inertia ");
        RunResult killed = train(job, new Killing(15));
        RunRecord record = RunRecord.read(killed.folder());
        assertThat(record.events()).extracting(RunEvent::kind).contains(RunEvent.Kind.LOST);
        assertThat(record.summary().losses()).hasSize(1);
        assertThat(record.summary().losses().get(0).stoodNs()).isNotNull();
        assertThat(record.steps()).extracting(StepRecord::step).doesNotHaveDuplicates();
        assertThat(record.steps()).extracting(StepRecord::samples).containsOnly(810L);
        String centres = whole.outcome().parameterHash();
        assertThat(killed.outcome().parameterHash()).isEqualTo(centres);
        RunResult three = train(job("k: 4, restarts: 150, tolerance: 0", 3), RunProgress.NONE);
        assertThat(three.outcome().parameterHash()).isEqualTo(centres);
    }

    @Test
    void batchesShouldComeNearToTheFitAndNotDependOnWorkers() {
        RunResult fitted = train(job("k: 4", 1), RunProgress.NONE);
        double best = Runs.lastLoss(RunRecord.read(fitted.folder()));
        JobSpec two = job("k: 4, algorithm: mini-batch}\ntrain: {epochs: 6, batch: 90", 2);
        RunResult batches = train(two, RunProgress.NONE);
        RunRecord record = RunRecord.read(batches.folder());
        assertThat(record.steps()).hasSize(54);
        assertThat(record.steps().stream().mapToLong(StepRecord::samples).sum())
                .isEqualTo(6 * 810L);
        assertThat(Runs.lastLoss(record)).isLessThan(1.05 * best);
        JobSpec one = job("k: 4, algorithm: mini-batch}\ntrain: {epochs: 6, batch: 90", 1);
        assertThat(train(one, RunProgress.NONE).outcome().parameterHash())
                .isEqualTo(batches.outcome().parameterHash());
    }

    @Test
    void moreClustersThanTrainingRowsShouldBeRefusedBeforeAnythingStarts() {
        assertThatThrownBy(() -> train(job("k: 811", 2), RunProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "model.k=811, but there are 810 training rows: take fewer clusters, or"
                                + " more rows");
        assertThat(folder.resolve("runs")).doesNotExist();
    }
}
