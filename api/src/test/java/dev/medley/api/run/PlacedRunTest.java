package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.Placement;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs in which each worker takes samples of its own shards, with real processes. */
@Tag("real")
class PlacedRunTest {
    /** More than an epoch. */
    private static final int STEPS = 480;

    /** The same of a smaller text. */
    private static final int FEW_STEPS = 240;

    private static final int FEW_WORDS = 8_000;

    @TempDir static Path alone;
    private static RunRecord one;

    @TempDir Path folder;

    /** A single process, which takes the samples in another order. */
    @BeforeAll
    static void trainInOneProcess() throws IOException {
        RunOptions options = Runs.in(alone.resolve("runs"));
        one =
                RunRecord.read(
                        Runs.completed(SmallJob.in(alone, 1, STEPS), options, quiet()).folder());
    }

    @Test
    void aWorkerKilledShouldCostNoSampleAndTheRunShouldRepeat() throws IOException {
        SmallJob whole = SmallJob.in(folder, FEW_WORDS, 1, FEW_STEPS);
        RunRecord inOne = RunRecord.read(Runs.completed(whole, options(), quiet()).folder());
        SmallJob job = SmallJob.in(folder, FEW_WORDS, 3, FEW_STEPS).placed(Placement.SHARDS);
        AtomicInteger steps = new AtomicInteger();
        RunProgress killing =
                new RunProgress() {
                    @Override
                    public void stepped(StepRecord step) {
                        if (steps.incrementAndGet() == 75) {
                            Runs.killAWorker();
                        }
                    }
                };
        RunResult result = Runs.completed(job, options(), killing);
        RunRecord record = RunRecord.read(result.folder());
        assertThat(record.steps()).extracting(StepRecord::step).doesNotHaveDuplicates().isSorted();
        assertThat(samples(record)).isEqualTo(samples(inOne));
        List<PlanRecord> plans = PlanRecord.inForce(record.plans());
        assertThat(plans).hasSizeGreaterThan(1);
        assertThat(plans.get(0).plan().owners()).contains(0, 1, 2);
        assertThat(plans.get(0).plan().why()).contains("shards on 3 workers by speed");
        assertThat(repeated(job, result)).isEqualTo(result.outcome().parameterHash());
    }

    /** Where the samples before the interruption were is part of the checkpoint. */
    @Test
    void anInterruptedRunShouldGoOnAndRepeatAsAWhole() throws IOException {
        SmallJob job =
                SmallJob.in(folder, 2, STEPS)
                        .placed(Placement.SHARDS)
                        .strategy(
                                StrategySpec.defaults(Kind.DILOCO)
                                        .with(RoundSpec.defaults(Kind.DILOCO).every(8)));
        Interrupting early = new Interrupting();
        RunResult part = JobRun.train(job.job(), options(), early);
        assertThat(part.outcome().kind()).isEqualTo(RunOutcome.Kind.INTERRUPTED);
        Path path = part.folder().path();
        RunResult rest = JobRun.train(JobRun.jobOf(path), options().resuming(path), quiet());
        assertThat(rest.outcome().kind()).isEqualTo(RunOutcome.Kind.COMPLETED);
        assertThat(repeated(job, rest)).isEqualTo(rest.outcome().parameterHash());
        assertThat(Runs.lastLoss(RunRecord.read(rest.folder())))
                .isLessThan(1.15 * Runs.lastLoss(one));
    }

    @Test
    void aTextShouldHaveNoStrata() throws IOException {
        SmallJob job = SmallJob.in(folder, 2, STEPS).placed(Placement.STRATA);
        assertThatThrownBy(() -> JobRun.train(job.job(), options(), quiet()))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "data.placement=strata needs classes, and the target is the next token:"
                                + " use data.placement=shards");
    }

    private static final class Interrupting implements RunProgress {
        private Interruptible run = () -> {};
        private int steps;

        @Override
        public void interruptible(Interruptible interruptible) {
            run = interruptible;
        }

        @Override
        public void stepped(StepRecord step) {
            if (++steps == 5) {
                run.interrupt();
            }
        }
    }

    private static long samples(RunRecord record) {
        return record.steps().stream().mapToLong(StepRecord::samples).sum();
    }

    private static RunProgress quiet() {
        return RunProgress.NONE;
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"));
    }

    private String repeated(SmallJob job, RunResult result) {
        RunOptions replaying = options().replaying(result.folder().path());
        return JobRun.train(job.job(), replaying, quiet()).outcome().parameterHash();
    }
}
