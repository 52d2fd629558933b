package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.JobSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.time.Clock;
import dev.medley.data.dataset.Datasets;
import dev.medley.data.dataset.PreparedData;
import dev.medley.plan.efficiency.Efficiency;
import dev.medley.plan.efficiency.EfficiencyTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs of one job, whose learning curves say what samples are worth in it. */
@Tag("real")
@Timeout(120)
class LearningTest {
    private static final int STEPS = 240;

    /** A common step of a fiftieth of the change: it can hardly learn. */
    private static final StrategySpec SLOW =
            StrategySpec.defaults()
                    .as(
                            Kind.DILOCO.in(RoundSpec.defaults(Kind.DILOCO).every(4).outer(0.02, 0)),
                            Compress.NONE);

    @TempDir Path folder;

    @Test
    void theUsersOwnRunsShouldCorrectTheTable() throws IOException {
        SmallJob plain = SmallJob.in(folder, 1, STEPS).evaluateEvery(20);
        SmallJob slow = SmallJob.in(folder, 2, STEPS).evaluateEvery(20).strategy(SLOW);
        EfficiencyTable shipped = worth(plain.job());
        assertThat(shipped.of(SLOW).counted()).as("a guess").isBetween(0.4, 0.9);
        Runs.completed(plain, options(), RunProgress.NONE);
        assertThat(worth(plain.job())).as("with nothing beside it").isEqualTo(shipped);
        Runs.completed(slow, options(), RunProgress.NONE);
        Efficiency learnt = worth(slow.job()).of(SLOW);
        assertThat(learnt.counted()).isLessThan(0.35);
        assertThat(learnt.why()).contains("in runs of this job");
        JobSpec another = plain.learningRate(1e-3).job();
        assertThat(worth(another)).as("of another job they say nothing").isEqualTo(shipped);
        try (Stream<Path> kept = Files.list(folder.resolve("cache/learning-curves"))) {
            assertThat(kept).hasSize(2);
        }
    }

    private EfficiencyTable worth(JobSpec job) throws IOException {
        Path cache = folder.resolve("cache/data");
        PreparedData data = Datasets.prepare(job.data(), job.seed(), cache, (what, done, of) -> {});
        return Learning.of(job, data, options(), Clock.system()).worth();
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"), folder.resolve("cache"));
    }
}
