package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Json;
import dev.medley.base.Plan;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run that changes its strategy twice: eight steps of data-parallel, four rounds of four batches,
 * then data-parallel again. The plans say so, as those of a run do that {@code auto} moved; the run
 * that repeats them has to come to the same numbers again.
 */
@Tag("real")
class ChangedStrategyTest {
    private static final long BATCHES = 48;
    private static final int BATCH = SmallJob.BATCH;
    private static final StrategySpec PLAIN = StrategySpec.defaults();
    private static final StrategySpec ROUNDS =
            PLAIN.as(Kind.DILOCO.in(RoundSpec.defaults(Kind.DILOCO).every(4)), Compress.NONE);

    @TempDir Path folder;

    @Test
    void aRunThatChangesItsStrategyShouldLoseNoSampleAndRepeatAndResume() throws IOException {
        SmallJob small = SmallJob.in(folder, 2, BATCHES).strategy(StrategySpec.defaults(Kind.AUTO));
        JobSpec job = small.job().with(small.job().train(), new CheckpointSpec(10, 0, 9));
        RunFolder alone = train(job, options()).folder();
        record(alone, 9, ROUNDS, 2 * BATCH);
        record(alone, 13, PLAIN, BATCH / 2);

        RunResult changed = train(job, options().replaying(alone.path()));
        RunRecord record = RunRecord.read(changed.folder());
        assertSamples(record, 8, 4, 24);
        assertThat(PlanRecord.inForce(record.plans()))
                .extracting(PlanRecord::fromStep)
                .containsExactly(1L, 9L, 13L);
        assertThat(record.plans()).extracting(PlanRecord::strategy).contains(PLAIN, ROUNDS);
        assertThat(loss(record, record.steps().size() - 6))
                .as("it goes on to learn")
                .isLessThan(0.8 * loss(record, 0));

        RunResult repeated = train(job, options().replaying(changed.folder().path()));
        assertThat(repeated.outcome().parameterHash()).isEqualTo(changed.outcome().parameterHash());

        // Saved in rounds, and gone on with under the strategy that was chosen last.
        keepCheckpointsUpTo(changed.folder(), 11);
        RunResult resumed =
                train(
                        JobRun.jobOf(changed.folder().path()),
                        options().resuming(changed.folder().path()));
        RunRecord after = RunRecord.read(resumed.folder());
        long saved = after.plans().get(after.plans().size() - 1).fromStep() - 1;
        assertThat(saved).isBetween(9L, 11L);
        assertSamples(after, 8, (int) saved - 8, 24 + 4 * (12 - (int) saved));
        assertThat(after.plans().get(after.plans().size() - 1).strategy()).isEqualTo(PLAIN);
    }

    private RunOptions options() {
        return Runs.in(folder.resolve("runs"));
    }

    private static RunResult train(JobSpec job, RunOptions options) {
        return Runs.completed(new SmallJob(job), options, RunProgress.NONE);
    }

    /** One more plan, whose group goes on with what its members hold. */
    private static void record(RunFolder run, long step, StrategySpec strategy, int share)
            throws IOException {
        PlanRecord first = PlanRecord.inForce(RunRecord.read(run).plans()).get(0);
        Plan plan = new Plan(9, List.of(share, share), BATCH / 2, "in a test").goingOn();
        PlanRecord more =
                new PlanRecord(
                        first.wallMillis(),
                        step,
                        first.groupEpoch() + (int) step,
                        first.workers(),
                        plan,
                        first.sites(),
                        strategy);
        Files.writeString(
                run.plans(),
                new String(Json.bytes(more), StandardCharsets.UTF_8) + "\n",
                StandardOpenOption.APPEND);
    }

    private static void assertSamples(RunRecord record, int plain, int rounds, int plainAgain) {
        List<Long> samples = record.steps().stream().map(StepRecord::samples).toList();
        assertThat(record.steps())
                .extracting(StepRecord::step)
                .containsExactlyElementsOf(
                        Stream.iterate(1L, s -> s + 1).limit(samples.size()).toList());
        assertThat(samples)
                .containsExactlyElementsOf(
                        Stream.of(
                                        Stream.generate(() -> (long) BATCH).limit(plain),
                                        Stream.generate(() -> 4L * BATCH).limit(rounds),
                                        Stream.generate(() -> (long) BATCH).limit(plainAgain))
                                .flatMap(s -> s)
                                .toList());
        assertThat(samples.stream().mapToLong(s -> s).sum()).isEqualTo(BATCHES * BATCH);
    }

    private static double loss(RunRecord record, int from) {
        return record.steps().subList(from, from + 6).stream()
                .mapToDouble(StepRecord::loss)
                .average()
                .orElseThrow();
    }

    private static void keepCheckpointsUpTo(RunFolder run, long step) throws IOException {
        try (Stream<Path> saved = Files.list(run.checkpoints())) {
            for (Path one : saved.toList()) {
                if (Long.parseLong(one.getFileName().toString().substring(5)) > step) {
                    delete(one);
                }
            }
        }
    }

    private static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(path);
            }
        }
    }
}
