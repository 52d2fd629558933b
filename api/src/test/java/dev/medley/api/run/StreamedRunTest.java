package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.RoundSpec;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Kind;
import dev.medley.base.job.StreamSpec;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunRecord;
import dev.medley.profile.record.StepRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs whose rounds travel in fragments. */
@Tag("real")
class StreamedRunTest {
    private static final int EVERY = 8;

    @TempDir Path folder;

    @Test
    void aWorkerKilledInARoundShouldCostNoSampleAndTheRunShouldLearnAndRepeat() throws IOException {
        SmallJob job = streamed(2, 400, 3, 2);
        AtomicInteger steps = new AtomicInteger();
        RunResult result =
                train(
                        job,
                        () -> {
                            if (steps.incrementAndGet() == 12) {
                                Runs.killAWorker();
                            }
                        });
        RunRecord record = record(result);
        assertThat(record.steps()).extracting(StepRecord::step).doesNotHaveDuplicates().isSorted();
        assertThat(record.steps()).hasSize((int) result.outcome().step());
        assertThat(record.events())
                .extracting(RunEvent::kind)
                .contains(RunEvent.Kind.LOST, RunEvent.Kind.RESTARTED);
        assertThat(Runs.lastLoss(record)).isLessThan(0.5 * record.steps().get(0).loss());
        RunOptions replaying = options().replaying(result.folder().path());
        RunResult again = JobRun.train(job.job(), replaying, stepped(() -> {}));
        assertThat(again.outcome().parameterHash()).isEqualTo(result.outcome().parameterHash());
    }

    @Test
    void shouldRefuseMoreFragmentsThanTheModelHasParametersBeforeARunBegins() throws IOException {
        SmallJob job = SmallJob.in(folder, 2, 400);
        RoundSpec round = RoundSpec.defaults(Kind.DILOCO).streaming(new StreamSpec(1000, 0));
        StrategySpec tooMany = StrategySpec.defaults(Kind.DILOCO).with(round);
        assertThatThrownBy(() -> train(job.strategy(tooMany), () -> {}))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("strategy.fragments=1000, but the model's parameters are");
        assertThat(folder.resolve("runs")).doesNotExist();
    }

    private SmallJob streamed(int workers, long steps, int fragments, int overlap)
            throws IOException {
        RoundSpec round =
                RoundSpec.defaults(Kind.DILOCO)
                        .every(EVERY)
                        .streaming(new StreamSpec(fragments, overlap));
        return SmallJob.in(folder, workers, steps)
                .strategy(StrategySpec.defaults(Kind.DILOCO).with(round));
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"));
    }

    private RunResult train(SmallJob job, Runnable atEachStep) {
        return Runs.completed(job, options(), stepped(atEachStep));
    }

    private static RunProgress stepped(Runnable atEachStep) {
        return new RunProgress() {
            @Override
            public void stepped(StepRecord step) {
                atEachStep.run();
            }
        };
    }

    private static RunRecord record(RunResult result) {
        return RunRecord.read(result.folder());
    }
}
