package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.control.coordinator.RunOutcome;
import dev.medley.profile.record.EvaluationRecord;
import dev.medley.profile.record.RunRecord;
import java.util.List;

/** What tests of whole runs share. */
final class Runs {
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

    /** Kills the second of the worker processes that live. */
    static void killAWorker() {
        ProcessHandle.current()
                .children()
                .filter(ProcessHandle::isAlive)
                .skip(1)
                .findFirst()
                .ifPresent(ProcessHandle::destroyForcibly);
    }
}
