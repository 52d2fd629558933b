package dev.medley.record.entry;

import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.time.Clock;
import dev.medley.record.entry.MetricValue.Better;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunFolder;
import dev.medley.record.folder.RunIdentity;
import dev.medley.record.folder.RunProcess;
import dev.medley.record.folder.RunRecorder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/** Records of made-up runs. */
public final class Runs {
    public static final Map<String, Object> JOB =
            Map.of(
                    "name",
                    "made-up",
                    "train",
                    Map.of("batch", 96, "stop", Map.of("target", 0.9)),
                    "seed",
                    7);

    /** Of three workers together. */
    public static final long SAMPLES_PER_STEP = 48 + 24 + 16;

    private Runs() {}

    public static RunIdentity identity(Clock clock) {
        return new RunIdentity(
                "made-up",
                clock.wallMillis(),
                "medley train made-up.yaml",
                "0.1.0",
                RunProcess.self());
    }

    public static RunRecorder start(Path runs, RecorderOptions options, Clock clock) {
        RunFolder folder = RunFolder.create(runs, "made-up", clock);
        return RunRecorder.start(folder, identity(clock), JOB, options, clock);
    }

    /** A step of three workers with plausible figures. */
    public static StepRecord step(long step, Clock clock) {
        RandomGenerator random = Seeds.generator(11, step);
        List<WorkerTimes> workers = new ArrayList<>();
        for (int worker = 1; worker <= 3; worker++) {
            long computeNs = (long) (18e6 / worker * (0.95 + 0.1 * random.nextDouble()));
            workers.add(
                    new WorkerTimes(
                            worker,
                            48 / worker,
                            computeNs,
                            (long) (1.2e6 * (0.8 + 0.4 * random.nextDouble())),
                            (long) Math.max(0, 18.5e6 - computeNs),
                            (long) (3e5 * random.nextDouble()),
                            4_300_000,
                            (310L << 20) + (step % 100) * 4096));
        }
        double loss = 0.4 + 2.1 * Math.exp(-step / 300.0) + 0.12 * random.nextGaussian();
        return new StepRecord(
                step,
                step / 500,
                1,
                1,
                loss,
                1e-3 * Math.min(1, step / 100.0),
                1.5 + random.nextDouble(),
                SAMPLES_PER_STEP,
                clock.wallMillis(),
                21_000_000 + (long) (2e6 * random.nextDouble()),
                workers);
    }

    public static EvaluationRecord evaluation(long step, double accuracy, Clock clock) {
        return new EvaluationRecord(
                step,
                step / 500,
                step * SAMPLES_PER_STEP,
                clock.wallMillis(),
                250_000_000,
                List.of(
                        new MetricValue("accuracy", accuracy, Better.HIGHER),
                        new MetricValue("loss", 1.4 - accuracy, Better.LOWER)));
    }

    public static PlanRecord plan(int version, long fromStep, Clock clock) {
        return new PlanRecord(
                clock.wallMillis(),
                fromStep,
                version,
                List.of(1, 2, 3),
                new Plan(
                        version, List.of(48, 24, 16), 48, "Worker 1 is twice as fast as worker 2."),
                List.of("a", "a", "b"));
    }
}
