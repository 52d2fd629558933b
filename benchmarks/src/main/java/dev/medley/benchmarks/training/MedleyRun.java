package dev.medley.benchmarks.training;

import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.job.JobSpec;
import dev.medley.base.time.Clock;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.StepRecord;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs Medley once with real worker processes, and measures it. */
final class MedleyRun implements RunProgress {
    private final List<StepRecord> steps = new ArrayList<>();
    private @Nullable EvaluationRecord lastEvaluation;

    private MedleyRun() {}

    static Measured of(JobSpec job, Path runs, int warmSteps, @Nullable Double target) {
        Clock clock = Clock.system();
        MedleyRun run = new MedleyRun();
        long beginNs = clock.nowNs();
        RunResult result = JobRun.train(job, RunOptions.in(runs), run);
        double wall = (clock.nowNs() - beginNs) / 1e9;
        if (result.outcome().kind() != RunOutcome.Kind.COMPLETED) {
            throw new IllegalStateException("the run failed: " + result.outcome().why());
        }
        return run.measured(warmSteps, target, wall);
    }

    @Override
    public void stepped(StepRecord step) {
        steps.add(step);
    }

    @Override
    public void evaluated(EvaluationRecord evaluation) {
        lastEvaluation = evaluation;
    }

    private Measured measured(int warmSteps, @Nullable Double target, double wallSeconds) {
        List<StepRecord> counted =
                steps.subList(Math.min(warmSteps, steps.size() - 1), steps.size());
        double seconds = counted.stream().mapToLong(StepRecord::stepNs).sum() / 1e9;
        long samples = counted.stream().mapToLong(StepRecord::samples).sum();
        EvaluationRecord last = lastEvaluation;
        Double metric = last == null ? null : Double.valueOf(last.metrics().get(0).value());
        Double toTarget =
                target == null || metric == null || !reached(metric, target)
                        ? null
                        : Double.valueOf(seconds);
        return new Measured(
                samples / seconds, seconds * 1e3 / counted.size(), toTarget, metric, wallSeconds);
    }

    private static boolean reached(double metric, double target) {
        return target > 1 ? metric <= target : metric >= target;
    }
}
