package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.DataParallel;
import dev.medley.api.Dataset;
import dev.medley.api.Trainer;
import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker that trains for long needs no more memory than one that trains for a while: what the JVM
 * still compiles after the first steps is within the tolerance, a leak of a kilobyte a step is not.
 */
@Tag("real")
class FlatMemoryTest {
    private static final long EARLY = 3_000;
    private static final long STEPS = EARLY + 10_000;
    private static final long MIB = 1 << 20;

    @TempDir Path folder;

    private final Map<Integer, Long> early = new TreeMap<>();
    private final Map<Integer, Long> late = new TreeMap<>();

    @Test
    void tenThousandStepsMoreShouldNotNeedMoreMemory() throws IOException {
        Trainer trainer =
                Trainer.builder()
                        .model(new ModelSpec.Mlp(List.of(8), ModelSpec.Activation.RELU, 0.1))
                        .strategy(DataParallel.workers(2))
                        .batch(8)
                        .evaluateEvery(2_500)
                        .options(RunOptions.in(folder.resolve("runs"), folder.resolve("cache")))
                        .progress(
                                new RunProgress() {
                                    @Override
                                    public void stepped(StepRecord step) {
                                        note(step);
                                    }
                                })
                        .build();
        RunResult result =
                trainer.run(
                        Dataset.table(table()).label("y").randomSplit(0.1),
                        new Budget(0, STEPS, 0));
        assertThat(result.outcome().kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(late).hasSize(2).hasSameSizeAs(early);
        late.forEach(
                (worker, bytes) ->
                        assertThat(bytes - early.get(worker))
                                .as("growth of worker %d after step %d", worker, EARLY)
                                .isLessThan(8 * MIB));
    }

    /** The figures come a few times a second, so those of a step are of some steps before. */
    private void note(StepRecord step) {
        for (WorkerTimes worker : step.workers()) {
            if (step.step() == EARLY) {
                early.put(worker.worker(), worker.residentBytes());
            }
            late.put(worker.worker(), worker.residentBytes());
        }
    }

    private Path table() throws IOException {
        RandomGenerator random = Seeds.generator(1);
        StringBuilder rows = new StringBuilder("a,b,c,y\n");
        for (int i = 0; i < 2_000; i++) {
            double a = random.nextGaussian();
            double b = random.nextGaussian();
            rows.append("%.4f,%.4f,%.4f,%.4f%n".formatted(a, b, random.nextGaussian(), a * b + a));
        }
        return Files.writeString(folder.resolve("table.csv"), rows);
    }
}
