package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.RoundSpec;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Kind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.control.coordinator.RunOutcome;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunRecord;
import dev.medley.profile.record.StepRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole runs in rounds. */
@Tag("real")
class LocalRunTest {
    private static final int EVERY = 8;

    @TempDir Path folder;

    /** What was seen of a run, in which something is done when a step is. */
    private static final class Seen implements RunProgress {
        final List<StepRecord> steps = new ArrayList<>();
        private final Consumer<Seen> atEachStep;
        private RunProgress.Interruptible run = () -> {};

        Seen(Consumer<Seen> atEachStep) {
            this.atEachStep = atEachStep;
        }

        @Override
        public void stepped(StepRecord step) {
            steps.add(step);
            atEachStep.accept(this);
        }

        @Override
        public void interruptible(RunProgress.Interruptible interruptible) {
            run = interruptible;
        }
    }

    @Test
    void averagingAfterEachStepOfPlainSgdShouldBeDataParallelism() throws IOException {
        SmallJob each = plain(2, 20);
        SmallJob averaged = each.strategy(local(Kind.LOCAL_SGD, 1));
        List<StepRecord> expected = RunRecord.read(train(each, seen -> {}).folder()).steps();
        List<StepRecord> steps = RunRecord.read(train(averaged, seen -> {}).folder()).steps();
        assertThat(steps).hasSize(20);
        for (int i = 0; i < steps.size(); i++) {
            assertThat(steps.get(i).loss()).isCloseTo(expected.get(i).loss(), within(1e-9));
            assertThat(steps.get(i).samples()).isEqualTo(expected.get(i).samples());
        }
    }

    @Test
    void dilocoShouldLearnAboutWhatOneProcessLearns() throws IOException {
        RunRecord one = RunRecord.read(train(SmallJob.in(folder, 1, 400), seen -> {}).folder());
        SmallJob rounds = SmallJob.in(folder, 2, 400).strategy(local(Kind.DILOCO, EVERY));
        RunRecord two = RunRecord.read(train(rounds, seen -> {}).folder());
        assertThat(two.steps()).hasSize(50);
        assertThat(two.steps().stream().mapToLong(StepRecord::samples).sum())
                .isEqualTo(one.steps().stream().mapToLong(StepRecord::samples).sum());
        assertThat(Runs.lastLoss(two)).isLessThan(Runs.lastLoss(one) * 1.15);
        assertThat(Runs.lastLoss(two)).isLessThan(0.5 * one.steps().get(0).loss());
    }

    /** With hybrid all three are one site, so the others wait for it in an inner step. */
    @ParameterizedTest
    @EnumSource(names = {"DILOCO", "HYBRID"})
    void aWorkerKilledInARoundShouldCostNoSampleAndTheRunShouldRepeat(Kind kind)
            throws IOException {
        SmallJob job = SmallJob.in(folder, 3, 480).strategy(local(kind, EVERY));
        RunResult result =
                train(
                        job,
                        seen -> {
                            if (seen.steps.size() == 12) {
                                Runs.killAWorker();
                            }
                        });
        RunRecord record = RunRecord.read(result.folder());
        assertThat(record.steps()).extracting(StepRecord::step).doesNotHaveDuplicates().isSorted();
        assertThat(record.steps()).hasSize((int) result.outcome().step());
        assertThat(record.events())
                .extracting(RunEvent::kind)
                .contains(RunEvent.Kind.LOST, RunEvent.Kind.RESTARTED);
        assertThat(repeated(job, result)).isEqualTo(result.outcome().parameterHash());
    }

    @Test
    void anInterruptedRunShouldGoOnAndRepeatAsAWhole() throws IOException {
        SmallJob job = SmallJob.in(folder, 2, 400).strategy(local(Kind.DILOCO, EVERY));
        Seen seen = new Seen(LocalRunTest::interruptEarly);
        RunResult part = JobRun.train(job.job(), options(), seen);
        assertThat(part.outcome().kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        RunResult rest =
                JobRun.train(
                        JobRun.jobOf(part.folder().path()),
                        options().resuming(part.folder().path()),
                        new Seen(s -> {}));
        assertThat(rest.outcome().kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(RunRecord.read(rest.folder()).steps()).hasSize(50);
        assertThat(repeated(job, rest)).isEqualTo(rest.outcome().parameterHash());
    }

    private static void interruptEarly(Seen seen) {
        if (seen.steps.size() == 5) {
            seen.run.interrupt();
        }
    }

    /** Plain SGD in double precision, without what would be drawn or clipped. */
    private SmallJob plain(int workers, long steps) throws IOException {
        return SmallJob.in(folder, workers, steps)
                .dropout(0)
                .precision(Precision.FP64)
                .optimizer(OptimizerSpec.defaults(OptimizerSpec.Kind.SGD));
    }

    private static StrategySpec local(Kind kind, int every) {
        return StrategySpec.defaults(kind).with(RoundSpec.defaults(kind).every(every));
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"));
    }

    private RunResult train(SmallJob job, Consumer<Seen> atEachStep) {
        return Runs.completed(job, options(), new Seen(atEachStep));
    }

    private String repeated(SmallJob job, RunResult result) {
        RunOptions replaying = options().replaying(result.folder().path());
        return JobRun.train(job.job(), replaying, new Seen(s -> {})).outcome().parameterHash();
    }
}
