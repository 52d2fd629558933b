package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.WorkerThreads;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Path;
import java.util.List;

/** What tests of whole runs share. */
public final class Runs {
    private static final WorkerThreads WORKERS = new WorkerThreads();

    private Runs() {}

    /** Trains to the end. */
    static RunResult completed(SmallJob job, RunOptions options, RunProgress progress) {
        RunResult result = JobRun.train(job.job(), options, progress);
        assertThat(result.outcome().kind())
                .as(result.outcome().why())
                .isEqualTo(RunOutcome.Kind.COMPLETED);
        return result;
    }

    /** The first metric of the last evaluation: the loss, unless the job names others. */
    static double lastLoss(RunRecord record) {
        List<EvaluationRecord> all = record.evaluations();
        return all.get(all.size() - 1).metrics().get(0).value();
    }

    /** A new run in this folder of runs, whose workers are threads here. */
    public static RunOptions in(Path runs) {
        return RunOptions.in(runs).startingWorkers(WORKERS);
    }

    /** A new run in this folder of runs with caches in that one, whose workers are threads here. */
    public static RunOptions in(Path runs, Path cache) {
        return RunOptions.in(runs, cache).startingWorkers(WORKERS);
    }

    /** Kills the second of the workers that live. */
    static void killAWorker() {
        WORKERS.kill(2);
    }
}
