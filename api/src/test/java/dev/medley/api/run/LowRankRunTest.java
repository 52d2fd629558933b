package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole run whose gradients travel as factors; EveryStrategyTest kills one of its workers. */
@Tag("real")
class LowRankRunTest {
    private static final int STEPS = 200;

    @TempDir Path folder;

    @Test
    void shouldLearnMostOfWhatOneProcessLearns() throws IOException {
        StrategySpec factored =
                StrategySpec.defaults().with(Compress.POWERSGD, CodecSpec.DEFAULT.ofRank(2));
        RunRecord one = train(SmallJob.in(folder, 1, STEPS));
        RunRecord two = train(SmallJob.in(folder, 2, STEPS).strategy(factored));
        assertThat(two.steps()).hasSize(STEPS);
        assertThat(Runs.lastLoss(two))
                .as("two columns, AdamW: 1.44 of it this early")
                .isLessThan(Runs.lastLoss(one) * 1.7);
        assertThat(Runs.lastLoss(two)).isLessThan(0.5 * one.steps().get(0).loss());
    }

    private RunRecord train(SmallJob job) {
        RunOptions options = Runs.in(folder.resolve("runs"));
        return RunRecord.read(Runs.completed(job, options, RunProgress.NONE).folder());
    }
}
