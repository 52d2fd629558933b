package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.CodecSpec;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.control.coordinator.RunOutcome;
import dev.medley.profile.record.EvaluationRecord;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunRecord;
import dev.medley.profile.record.StepRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs whose gradients travel as factors, with real worker processes. */
@Tag("real")
class LowRankRunTest {
    private static final int STEPS = 200;

    @TempDir Path folder;

    /** Kills a worker when a step is done; 0 for never. */
    private record Killing(int step) implements RunProgress {
        @Override
        public void stepped(StepRecord record) {
            if (record.step() == step) {
                ProcessHandle.current()
                        .children()
                        .filter(ProcessHandle::isAlive)
                        .skip(1)
                        .findFirst()
                        .ifPresent(ProcessHandle::destroyForcibly);
            }
        }
    }

    @Test
    void shouldLearnAboutWhatOneProcessLearnsAlsoWhereAWorkerIsKilled() throws IOException {
        RunRecord one = RunRecord.read(train(SmallJob.in(folder, 1, STEPS), 0).folder());
        SmallJob job = SmallJob.in(folder, 2, STEPS).strategy(factored());
        RunResult result = train(job, 60);
        RunRecord two = RunRecord.read(result.folder());
        assertThat(two.events())
                .extracting(RunEvent::kind)
                .contains(RunEvent.Kind.LOST, RunEvent.Kind.RESTARTED);
        assertThat(two.steps()).hasSize(STEPS);
        assertThat(lossOf(two)).as("two columns, AdamW").isLessThan(lossOf(one) * 1.25);
        assertThat(lossOf(two)).isLessThan(0.5 * one.steps().get(0).loss());
        RunOptions replaying = options().replaying(result.folder().path());
        assertThat(JobRun.train(job.job(), replaying, new Killing(0)).outcome().parameterHash())
                .isEqualTo(result.outcome().parameterHash());
    }

    private static StrategySpec factored() {
        return StrategySpec.defaults().with(Compress.POWERSGD, CodecSpec.DEFAULT.ofRank(2));
    }

    private RunOptions options() {
        return RunOptions.in(folder.resolve("runs"));
    }

    private RunResult train(SmallJob job, int killedIn) {
        RunResult result = JobRun.train(job.job(), options(), new Killing(killedIn));
        assertThat(result.outcome().kind())
                .as(result.outcome().why())
                .isEqualTo(RunOutcome.Kind.COMPLETED);
        return result;
    }

    private static double lossOf(RunRecord record) {
        List<EvaluationRecord> all = record.evaluations();
        return all.get(all.size() - 1).metrics().get(0).value();
    }
}
