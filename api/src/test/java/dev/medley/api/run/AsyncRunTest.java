package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.AsyncSpec;
import dev.medley.base.job.AsyncSpec.Sync;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Kind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunRecord;
import dev.medley.profile.record.StepRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole runs within whose rounds single workers exchange. */
@Tag("real")
class AsyncRunTest {
    @TempDir Path folder;

    @Test
    void serversThatWaitForAllShouldBeDataParallelism() throws IOException {
        SmallJob each =
                SmallJob.in(folder, 2, 6)
                        .dropout(0)
                        .precision(Precision.FP64)
                        .optimizer(OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW));
        StrategySpec bulk = rounds(Kind.PARAMETER_SERVER, 1).with(AsyncSpec.of(Sync.BULK));
        List<StepRecord> expected = train(each, steps -> {}).steps();
        List<StepRecord> steps = train(each.strategy(bulk), seen -> {}).steps();
        assertThat(steps).hasSize(6);
        for (int i = 0; i < steps.size(); i++) {
            assertThat(steps.get(i).loss()).isCloseTo(expected.get(i).loss(), within(1e-9));
            assertThat(steps.get(i).samples()).isEqualTo(expected.get(i).samples());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"PARAMETER_SERVER", "GOSSIP"})
    void aWorkerKilledInARoundShouldCostNoSample(Kind kind) throws IOException {
        SmallJob job = SmallJob.in(folder, 3, 200).strategy(rounds(kind, 8));
        boolean[] isKilled = {false};
        RunRecord record =
                train(
                        job,
                        step -> {
                            if (step == 6 && !isKilled[0]) {
                                isKilled[0] = true;
                                Runs.killAWorker();
                            }
                        });
        assertThat(record.steps()).hasSize(25);
        assertThat(record.steps()).extracting(StepRecord::step).doesNotHaveDuplicates().isSorted();
        assertThat(record.steps().stream().mapToLong(StepRecord::samples).sum())
                .isEqualTo(200L * SmallJob.BATCH);
        assertThat(record.events())
                .extracting(RunEvent::kind)
                .contains(RunEvent.Kind.LOST, RunEvent.Kind.RESTARTED);
        assertThat(record.steps().get(24).loss()).isLessThan(record.steps().get(0).loss());
    }

    private static StrategySpec rounds(Kind kind, int every) {
        StrategySpec usual = StrategySpec.defaults(kind);
        return usual.with(usual.round().every(every));
    }

    private RunRecord train(SmallJob job, LongConsumer atEachStep) {
        RunProgress progress =
                new RunProgress() {
                    @Override
                    public void stepped(StepRecord step) {
                        atEachStep.accept(step.step());
                    }
                };
        RunOptions options = Runs.in(folder.resolve("runs"));
        RunResult result = Runs.completed(job, options, progress);
        return RunRecord.read(result.folder());
    }
}
