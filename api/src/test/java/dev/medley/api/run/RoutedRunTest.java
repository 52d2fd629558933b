package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.MeasuredRoute;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.strategy.TrafficSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs whose sums follow what was measured. */
@Tag("real")
@Timeout(120)
class RoutedRunTest {
    private static final int STEPS = 12;

    /** By these figures slices up to 64 KiB of four ranks go by a tree. */
    private static final MeasuredRoute ROUTE =
            new MeasuredRoute(List.of(0, 2, 1, 3), 1_000, 1L << 40, "as if measured");

    @TempDir Path folder;

    /** On one host nothing is measured: the record says what several machines would have found. */
    @Test
    void aRepeatedRunShouldAddInTheOrderOfTheRecordAndNotInItsOwn() throws IOException {
        RunResult usual = train(options());
        PlanRecord line = RunRecord.read(usual.folder()).plans().get(0);
        PlanRecord routed =
                new PlanRecord(
                        line.wallMillis(),
                        line.fromStep(),
                        line.groupEpoch(),
                        line.workers(),
                        line.plan().along(ROUTE),
                        line.sites());
        Files.writeString(
                usual.folder().plans(), Json.line(line) + "\n" + Json.line(routed) + "\n");
        RunResult repeated = train(options().replaying(usual.folder().path()));
        assertThat(RunRecord.read(repeated.folder()).plans().get(0).plan().route())
                .isEqualTo(ROUTE);
        assertThat(hash(repeated)).as("another order of additions").isNotEqualTo(hash(usual));
        RunResult again = train(options().replaying(repeated.folder().path()));
        assertThat(hash(again)).isEqualTo(hash(repeated));
    }

    private static String hash(RunResult result) {
        return result.outcome().parameterHash();
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"));
    }

    private RunResult train(RunOptions options) throws IOException {
        StrategySpec smallBuckets =
                StrategySpec.defaults()
                        .with(TrafficSpec.plain(Transport.AUTO, 4096))
                        .with(List.of(), Balance.NONE);
        SmallJob job = SmallJob.in(folder, 4, STEPS).strategy(smallBuckets);
        RunResult result = JobRun.train(job.job(), options, RunProgress.NONE);
        assertThat(result.outcome().kind())
                .as(result.outcome().why())
                .isEqualTo(RunOutcome.Kind.COMPLETED);
        return result;
    }
}
