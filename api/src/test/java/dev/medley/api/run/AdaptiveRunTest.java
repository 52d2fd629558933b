package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.BatchesSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.data.dataset.PreparedData;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose batch follows the gradient's noise. */
@Tag("real")
@Timeout(180)
class AdaptiveRunTest {
    private static final int LARGEST = 96;

    /** The noise grows while a model learns: in runs of two, a larger batch did not always pay. */
    private static final int EPOCHS = 5;

    @TempDir Path folder;

    /** Sees steps and plans, and may interrupt. */
    private static final class Seen implements RunProgress {
        private final Consumer<Seen> atStep;
        private RunProgress.Interruptible run = () -> {};
        private long samples;
        private StepRecord last;

        Seen(Consumer<Seen> atStep) {
            this.atStep = atStep;
        }

        @Override
        public void interruptible(RunProgress.Interruptible interruptible) {
            run = interruptible;
        }

        @Override
        public void prepared(PreparedData data) {
            samples = data.trainSamples();
        }

        @Override
        public void stepped(StepRecord step) {
            last = step;
            atStep.accept(this);
        }
    }

    /** A worker is killed at the first change, and the run interrupted a while later. */
    @Test
    void everySampleShouldCountOnceAnEpochWhateverHappensAndTheRunRepeat() throws IOException {
        long[] changedAt = new long[1];
        Seen watching =
                new Seen(
                        seen -> {
                            long step = seen.last.step();
                            if (seen.last.samples() > SmallJob.BATCH && changedAt[0] == 0) {
                                changedAt[0] = step;
                                Runs.killAWorker();
                            }
                            if (changedAt[0] > 0 && step == changedAt[0] + 50) {
                                seen.run.interrupt();
                            }
                        });
        RunResult part = JobRun.train(job(), options(), watching);
        assertThat(part.outcome().kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        List<PlanRecord> before = RunRecord.read(part.folder()).plans();
        PlanRecord last =
                PlanRecord.inForce(before).stream()
                        .filter(plan -> plan.fromStep() <= part.outcome().step())
                        .reduce((earlier, later) -> later)
                        .orElseThrow();
        Path run = part.folder().path();
        RunResult rest = JobRun.train(JobRun.jobOf(run), options().resuming(run), RunProgress.NONE);
        RunRecord record = RunRecord.read(rest.folder());
        assertWhole(record, watching.samples);
        assertThat(record.steps()).anyMatch(step -> step.noise() != null);
        assertThat(record.events()).extracting(RunEvent::kind).contains(RunEvent.Kind.LOST);
        assertThat(PlanRecord.inForce(record.plans()))
                .anyMatch(p -> p.plan().why().startsWith("the batch changes from 12 to "))
                .anyMatch(p -> p.plan().learningRateScale() > 1);
        PlanRecord resumed = record.plans().get(before.size());
        assertThat(resumed.plan().globalBatch())
                .as("the batch that it had: %s", resumed)
                .isEqualTo(last.plan().globalBatch());
        assertThat(resumed.plan().learningRateScale()).isEqualTo(last.plan().learningRateScale());
        RunResult again = JobRun.train(job(), options().replaying(run), RunProgress.NONE);
        assertThat(again.outcome().parameterHash()).isEqualTo(rest.outcome().parameterHash());
    }

    @Test
    void aRePlannedRunOfRoundsShouldKeepItsMomentsAndRepeat() throws IOException {
        StrategySpec rounds =
                StrategySpec.defaults(StrategySpec.Kind.DILOCO)
                        .with(RoundSpec.defaults(StrategySpec.Kind.DILOCO).every(8))
                        .with(List.of(), StrategySpec.Balance.SPEED);
        Path sign = folder.resolve("slow");
        SmallJob job = SmallJob.in(folder, 2, 240).strategy(rounds).model(GetsSlow.of(sign, 1000));
        Seen slowing =
                new Seen(
                        seen -> {
                            if (seen.last.step() >= 5) {
                                GetsSlow.begin(sign);
                            }
                        });
        RunResult result = JobRun.train(job.job(), options(), slowing);
        RunRecord record = RunRecord.read(result.folder());
        List<PlanRecord> plans = PlanRecord.inForce(record.plans());
        assertThat(plans)
                .as("one of the two gets slow")
                .anyMatch(p -> p.plan().why().startsWith("shares change from "));
        for (PlanRecord plan : plans) {
            assertThat(plan.plan().isContinued()).isEqualTo(plan.fromStep() > 1);
        }
        RunResult again =
                JobRun.train(
                        job.job(), options().replaying(result.folder().path()), new Seen(s -> {}));
        assertThat(again.outcome().parameterHash()).isEqualTo(result.outcome().parameterHash());
    }

    private static void assertWhole(RunRecord record, long samples) {
        List<StepRecord> steps = record.steps();
        assertThat(steps).extracting(StepRecord::step).doesNotHaveDuplicates().isSorted();
        Map<Long, Long> byEpoch =
                steps.stream()
                        .collect(
                                Collectors.groupingBy(
                                        StepRecord::dataEpoch,
                                        Collectors.summingLong(StepRecord::samples)));
        assertThat(byEpoch)
                .hasSize(EPOCHS)
                .allSatisfy((e, all) -> assertThat(all).isEqualTo(samples));
        assertThat(steps.stream().mapToLong(StepRecord::samples).max().orElse(0))
                .isBetween((long) SmallJob.BATCH + 1, (long) LARGEST);
    }

    private JobSpec job() throws IOException {
        JobSpec job = SmallJob.in(folder, 2, 1).job();
        TrainSpec t = job.train();
        TrainSpec train =
                new TrainSpec(
                                Budget.ofEpochs(EPOCHS),
                                t.batch(),
                                t.loss(),
                                t.optimizer(),
                                t.schedule(),
                                t.clipNorm(),
                                t.accumulate(),
                                t.precision(),
                                t.metrics(),
                                0,
                                t.stop(),
                                t.groups(),
                                t.callbacks())
                        .with(new BatchesSpec(LARGEST, false));
        return job.with(train, job.checkpoint());
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"));
    }
}
