package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.DataParallel;
import dev.medley.api.Dataset;
import dev.medley.api.Epochs;
import dev.medley.api.LocalSgd;
import dev.medley.api.Models;
import dev.medley.api.Parallelism;
import dev.medley.api.Trainer;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two workers, one of which computes its outputs forty times over, so that no other load makes up
 * for that; or one of which gets slow while it trains.
 */
@Tag("real")
@Timeout(120)
class BalancedRunTest {
    private static final int ROWS = 12_000;
    private static final int BATCH = 240;

    @TempDir Path folder;
    private Path table;

    @BeforeEach
    void write() throws IOException {
        StringBuilder rows = new StringBuilder("a,b,c,y\n");
        for (int i = 0; i < ROWS; i++) {
            rows.append("%d,%d,%d,%d%n".formatted(i % 97, i % 89, i % 83, i % 97 < 40 ? 1 : 0));
        }
        table = Files.writeString(folder.resolve("t.csv"), rows);
    }

    @Test
    void theSlowWorkerShouldGetLessAndNoSampleBeLostAndTheRunRepeat() {
        RunResult first = run(DataParallel.workers(2).balanced(), null);
        RunRecord balanced = RunRecord.read(first.folder());
        RunRecord even = RunRecord.read(run(DataParallel.workers(2), null).folder());
        assertThat(balanced.plans().get(0).plan().why())
                .as("workers try how fast they are before they join")
                .endsWith("by measured speed");
        assertThat(balanced.workers())
                .hasSize(2)
                .allMatch(worker -> worker.name() == null && !worker.tried().isEmpty());
        List<StepRecord> steps = balanced.steps();
        assertThat(steps).hasSameSizeAs(even.steps());
        List<Long> shares =
                last(steps).workers().stream().map(w -> (long) w.samples()).sorted().toList();
        assertThat(shares.get(1))
                .as("who says hello first is rank 0, be it the fast or the slow one")
                .isGreaterThan(3 * shares.get(0) / 2);
        for (int i = 0; i < steps.size(); i++) {
            assertThat(steps.get(i).samples()).isEqualTo(even.steps().get(i).samples());
            assertThat(steps.get(i).loss())
                    .as("loss of step %d", i + 1)
                    .isCloseTo(even.steps().get(i).loss(), within(1e-3));
        }
        assertRepeats(first);
    }

    /** The recorded plans, bit for bit. */
    private void assertRepeats(RunResult first) {
        RunResult second = run(DataParallel.workers(2).balanced(), first.folder().path());
        assertThat(second.outcome().parameterHash()).isEqualTo(first.outcome().parameterHash());
        assertThat(RunRecord.read(second.folder()).plans())
                .extracting(p -> p.plan().shares())
                .isEqualTo(
                        RunRecord.read(first.folder()).plans().stream()
                                .map(p -> p.plan().shares())
                                .toList());
    }

    /** What it tried before it joined says nothing of that: its steps have to tell. */
    @Test
    void aWorkerThatGetsSlowShouldHaveAFittingShareWithinThirtySteps() throws IOException {
        Path sign = folder.resolve("slow");
        RunProgress slowing =
                new RunProgress() {
                    @Override
                    public void stepped(StepRecord step) {
                        if (step.step() >= 12) {
                            GetsSlow.begin(sign);
                        }
                    }
                };
        RunResult result =
                Trainer.builder()
                        .model(GetsSlow.of(sign, 350))
                        .strategy(DataParallel.workers(2).balanced())
                        .batch(BATCH)
                        .options(options())
                        .progress(slowing)
                        .build()
                        .run(Dataset.table(table).label("y"), new Budget(0, 56, 0));
        List<StepRecord> steps = RunRecord.read(result.folder()).steps();
        long slowMillis = Files.getLastModifiedTime(sign).toMillis();
        List<StepRecord> slow = steps.stream().filter(s -> s.wallMillis() > slowMillis).toList();
        assertThat(slow).as("since it is slow").hasSizeGreaterThan(30);
        List<WorkerTimes> first = slow.get(2).workers();
        int rank = first.get(0).computeNs() > first.get(1).computeNs() ? 0 : 1;
        assertThat(first.get(rank).samples()).as("when it got slow").isGreaterThan(95L);
        assertThat(slow.get(30).workers().get(rank).samples())
                .as("a third as fast as the other: 60 of %d samples", BATCH)
                .isBetween(45L, 90L);
    }

    @Test
    void theSlowWorkerShouldTakeFewerStepsOfARound() {
        RunResult run = run(LocalSgd.workers(2).syncEvery(2).balanced(), null);
        List<StepRecord> rounds = RunRecord.read(run.folder()).steps();
        List<Long> shares =
                last(rounds).workers().stream().map(w -> (long) w.samples()).sorted().toList();
        assertThat(shares.get(1)).isGreaterThan(3 * shares.get(0) / 2);
        long perEpoch = ROWS * 9L / 10;
        assertThat(rounds.stream().mapToLong(StepRecord::samples).sum()).isEqualTo(perEpoch);
    }

    private RunResult run(Parallelism strategy, Path replayed) {
        RunOptions options = options();
        RunResult result =
                Trainer.builder()
                        .model(Models.custom(Handicap.class, Map.of("times", "40")))
                        .strategy(strategy)
                        .batch(BATCH)
                        .options(replayed == null ? options : options.replaying(replayed))
                        .build()
                        .run(Dataset.table(table).label("y"), Epochs.of(1));
        assertThat(result.outcome().kind())
                .as(result.outcome().why())
                .isEqualTo(RunOutcome.Kind.COMPLETED);
        return result;
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"), folder.resolve("cache"));
    }

    private static StepRecord last(List<StepRecord> steps) {
        return steps.get(steps.size() - 1);
    }
}
