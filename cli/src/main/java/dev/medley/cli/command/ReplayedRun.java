package dev.medley.cli.command;

import static dev.medley.base.ConfigException.check;

import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.base.job.JobSpec;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.text.Words;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** Checks that a job can repeat the plans of a recorded run. */
final class ReplayedRun {
    private ReplayedRun() {}

    /**
     * Complains about a job that cannot repeat the plans of {@code run}: they cut batches of one
     * size, for so many workers.
     *
     * @param how the job is run, which may be a run that is gone on with
     */
    static void requireFit(Path run, RunOptions how, JobSpec asked) {
        List<PlanRecord> plans = PlanRecord.inForce(RunRecord.read(RunFolder.at(run)).plans());
        int most = plans.stream().mapToInt(p -> p.plan().shares().size()).max().orElse(0);
        check(most > 0, "--replay %s: the run has no recorded plan; repeat one that trained", run);
        JobSpec before = JobRun.firstJobOf(run);
        int batch = before.train().batch();
        // How many all samples are is known when they are prepared.
        JobSpec job = asked.train().takesAllSamples() ? asked.of(batch) : asked;
        JobSpec now = JobRun.asRecorded(job, how);
        check(
                now.strategy().round().quorum().isNone(),
                "--replay %s: with strategy.quorum=%s the clock decides who is late, so the same"
                        + " numbers cannot come again; leave --replay out",
                run,
                now.strategy().round().quorum().text());
        check(
                now.strategy().algorithm().isRepeatable(),
                "--replay %s: with %s the order in which letters come decides, so the same numbers"
                        + " cannot come again; leave --replay out",
                run,
                manner(now.strategy()));
        check(
                job.train().batch() == batch,
                "--replay %s: its steps had %d samples, but train.batch=%d: the same numbers need"
                        + " the same job",
                run,
                batch,
                job.train().batch());
        check(
                rounds(now).equals(rounds(before)),
                "--replay %s: its rounds were %s, but here they are %s: the same numbers need the"
                        + " same job",
                run,
                rounds(before),
                rounds(now));
        check(
                job.cluster().workers() >= most,
                "--replay %s: it had %d workers, but cluster.workers=%d: give it as many",
                run,
                most,
                job.cluster().workers());
    }

    private static String rounds(JobSpec job) {
        RoundSpec round = job.strategy().round();
        return ("%s of %d steps by %d samples, outer rate %s and momentum %s, %s, compressed by %s,"
                        + " %s, within a round %s")
                .formatted(
                        job.strategy().kind(),
                        round.syncEvery(),
                        job.innerBatch(),
                        round.outerRate(),
                        round.outerMomentum(),
                        round.stream(),
                        job.strategy().compress(),
                        job.strategy().codec(),
                        job.strategy().async());
    }

    private static String manner(StrategySpec strategy) {
        String kind = Words.of(strategy.kind());
        String sync = strategy.async().sync().name().toLowerCase(Locale.ROOT);
        return strategy.async().sync() != AsyncSpec.Sync.BULK
                ? "strategy.kind=%s, strategy.sync=%s".formatted(kind, sync)
                : "strategy.kind=" + kind;
    }
}
