package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.CodecSpec;
import dev.medley.base.job.StrategySpec;
import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunRecord;
import dev.medley.profile.record.StepRecord;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs whose gradients travel as factors. */
@Tag("real")
class LowRankRunTest {
    private static final int STEPS = 200;

    @TempDir Path folder;

    /** Kills a worker when a step is done; 0 for never. */
    private record Killing(int step) implements RunProgress {
        @Override
        public void stepped(StepRecord record) {
            if (record.step() == step) {
                Runs.killAWorker();
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
        assertThat(Runs.lastLoss(two))
                .as("two columns, AdamW")
                .isLessThan(Runs.lastLoss(one) * 1.25);
        assertThat(Runs.lastLoss(two)).isLessThan(0.5 * one.steps().get(0).loss());
        RunOptions replaying = options().replaying(result.folder().path());
        assertThat(JobRun.train(job.job(), replaying, new Killing(0)).outcome().parameterHash())
                .isEqualTo(result.outcome().parameterHash());
    }

    private static StrategySpec factored() {
        return StrategySpec.defaults().with(Compress.POWERSGD, CodecSpec.DEFAULT.ofRank(2));
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"));
    }

    private RunResult train(SmallJob job, int killedIn) {
        return Runs.completed(job, options(), new Killing(killedIn));
    }
}
