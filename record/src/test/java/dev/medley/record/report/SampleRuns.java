package dev.medley.record.report;

import dev.medley.base.Json;
import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.profile.machine.Figure;
import dev.medley.profile.machine.MachineProfile;
import dev.medley.record.ManualClock;
import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.MetricValue.Better;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.RunEvent.Kind;
import dev.medley.record.entry.RunStatus;
import dev.medley.record.entry.Runs;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RecorderOptions;
import dev.medley.record.folder.RunRecorder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;

/** Whole made-up runs of several kinds, as a report has to show them. */
final class SampleRuns {
    private final ManualClock clock = new ManualClock();
    private final Path runs;
    private final RandomGenerator random = Seeds.generator(5);

    SampleRuns(Path runs) {
        this.runs = runs;
    }

    /** Three workers; one is lost in the middle and started again; many checkpoints. */
    Path eventful(int steps) {
        RunRecorder recorder = Runs.start(runs, RecorderOptions.defaults(), clock);
        begin(recorder);
        long lostAt = steps * 45L / 100;
        long backAt = steps * 52L / 100;
        for (long step = 1; step <= steps; step++) {
            List<Integer> members = List.of(1, 2, 3);
            List<Integer> shares = step < steps / 10 ? List.of(44, 44, 40) : List.of(58, 40, 30);
            if (step == Math.max(2, steps / 10)) {
                String why =
                        "Worker 1 computes a sample in 0.31 ms, worker 3 in 0.62 ms: shares follow"
                                + " speed.";
                plan(recorder, 2, step, members, shares, why);
            }
            if (step >= lostAt && step < backAt) {
                members = List.of(1, 2);
                shares = List.of(76, 52);
            } else if (step >= backAt) {
                members = List.of(1, 2, 4);
            }
            if (step == lostAt) {
                lose(recorder, step, members, shares);
            }
            if (step == backAt) {
                comeBack(recorder, step, members, shares);
            }
            recorder.step(step(step, members, shares, steps));
            border(recorder, step, steps);
        }
        recorder.machine(java.util.Map.of());
        event(recorder, steps, Kind.ENDED, "All steps were taken.");
        recorder.finish(
                RunStatus.DONE, "All 4 epochs are done: accuracy reached its target of 0.9.", null);
        recorder.close();
        return recorder.folder().path();
    }

    private void begin(RunRecorder recorder) {
        recorder.jobFile("data: {train: <a & b>.csv}\ntrain: {stop: {target: 0.9}}\n");
        event(recorder, 0, Kind.STARTED, "Training starts on 3 workers over shared memory.");
        for (int worker = 1; worker <= 3; worker++) {
            ofWorker(
                    recorder,
                    0,
                    Kind.JOINED,
                    worker,
                    "Worker " + worker + " joined with 1 thread of AVX-512.");
        }
        List<WorkerRecord.Trial> tried = List.of(new WorkerRecord.Trial(64, 20_000_000));
        recorder.worker(new WorkerRecord(clock.wallMillis(), 1, 900_000_000, tried, null, null));
        recorder.worker(
                new WorkerRecord(clock.wallMillis(), 2, 900_000_000, tried, "<gpu-2>", machine()));
        String why = "Equal shares: no speeds are known yet.";
        plan(recorder, 1, 1, List.of(1, 2, 3), List.of(44, 44, 40), why);
    }

    private static JsonNode machine() {
        Figure unknown = Figure.unknown("made up");
        return Json.tree(
                new MachineProfile(
                        0,
                        1,
                        MachineProfile.Scope.QUICK,
                        new MachineProfile.Look(
                                0, 1, MachineProfile.Speeds.KEPT, "measured in another run"),
                        "host",
                        new MachineProfile.Processor("Xeon", 4, 2, 4, 1.5, 0, List.of("avx2")),
                        new MachineProfile.Memory(16L << 30, 8L << 30, null, unknown),
                        List.of(),
                        new MachineProfile.Disk(
                                "/", "/dev/sda", "ext4", 1L << 30, unknown, unknown),
                        null,
                        List.of(),
                        new MachineProfile.Platform("Linux", "6", "amd64", "17", "none found"),
                        List.of()));
    }

    private void lose(
            RunRecorder recorder, long step, List<Integer> members, List<Integer> shares) {
        ofWorker(
                recorder,
                step - 1,
                Kind.LOST,
                3,
                "Worker 3 is lost: its process ended with status 137 (killed); the step is"
                        + " computed again by 2 workers.");
        String discarded = "Step " + step + " was discarded and is computed again.";
        event(recorder, step - 1, Kind.DISCARDED, discarded);
        plan(recorder, 3, step, members, shares, "2 workers are left; shares follow speed.");
    }

    private void comeBack(
            RunRecorder recorder, long step, List<Integer> members, List<Integer> shares) {
        ofWorker(
                recorder,
                step - 1,
                Kind.JOINED,
                4,
                "Worker 4 joined in place of worker 3 and copied the state from worker 1.");
        plan(recorder, 4, step, members, shares, "Worker 4 takes worker 3's share.");
    }

    /** What happens after some steps: evaluations, checkpoints, ends of epochs. */
    private void border(RunRecorder recorder, long step, int steps) {
        if (step % Math.max(1, steps / 12) == 0) {
            evaluate(recorder, step, steps);
        }
        if (step % Math.max(1, steps / 20) == 0) {
            recorder.event(
                    RunEvent.checkpoint(
                            clock.wallMillis(),
                            step,
                            "Checkpoint at step " + step + ".",
                            1_400_000,
                            96_000_000,
                            12_400_000));
        }
        if (step % Math.max(1, steps / 4) == 0) {
            recorder.event(
                    RunEvent.withValue(
                            clock.wallMillis(),
                            step,
                            Kind.EPOCH,
                            "9f3c1b77a04d2e5591ab64f0d1c2e3b4",
                            "Epoch ended."));
        }
    }

    private void ofWorker(RunRecorder recorder, long step, Kind kind, int worker, String message) {
        recorder.event(RunEvent.ofWorker(clock.wallMillis(), step, kind, worker, message));
    }

    /** One worker, one step. */
    Path ofOneStep() {
        RunRecorder recorder = Runs.start(runs, RecorderOptions.defaults(), clock);
        plan(recorder, 1, 1, List.of(1), List.of(32), "One worker takes all.");
        recorder.step(step(1, List.of(1), List.of(32), 1));
        evaluate(recorder, 1, 1);
        recorder.finish(RunStatus.DONE, "The one step that was asked for is done.", null);
        recorder.close();
        return recorder.folder().path();
    }

    /** Failed before its first step. */
    Path failedAtOnce() {
        RunRecorder recorder = Runs.start(runs, RecorderOptions.defaults(), clock);
        clock.passMillis(1200);
        event(recorder, 0, Kind.FAILED, "Worker 1 could not start: no LibTorch for this platform.");
        recorder.finish(
                RunStatus.FAILED,
                "Worker 1 could not start: no LibTorch for <this> platform & libc.",
                null);
        recorder.close();
        return recorder.folder().path();
    }

    /** Stopped when the loss was no longer a number. */
    Path diverged() {
        RunRecorder recorder = Runs.start(runs, RecorderOptions.defaults(), clock);
        plan(recorder, 1, 1, List.of(1, 2), List.of(64, 64), "Equal shares.");
        for (long step = 1; step <= 300; step++) {
            StepRecord usual = step(step, List.of(1, 2), List.of(64, 64), 300);
            double loss =
                    step < 180
                            ? usual.loss()
                            : step < 296
                                    ? usual.loss() + Math.pow(1.05, (double) step - 180)
                                    : Double.NaN;
            recorder.step(
                    new StepRecord(
                            step,
                            0,
                            1,
                            1,
                            loss,
                            0.5,
                            loss * 3,
                            usual.samples(),
                            usual.wallMillis(),
                            usual.stepNs(),
                            usual.workers()));
        }
        event(recorder, 300, Kind.FAILED, "The loss of step 301 is not finite on worker 2.");
        recorder.finish(
                RunStatus.FAILED,
                "The loss of step 301 is not finite on worker 2 (batch 301, samples 38400 to"
                        + " 38463): lower the learning rate.",
                "medley train --resume " + recorder.folder().name());
        recorder.close();
        return recorder.folder().path();
    }

    /** One step, and events and a plan with these words. */
    Path saying(String words) {
        RunRecorder recorder = Runs.start(runs, RecorderOptions.defaults(), clock);
        plan(recorder, 1, 1, List.of(1), List.of(32), words);
        recorder.step(step(1, List.of(1), List.of(32), 1));
        event(recorder, 1, Kind.PRECISION, words);
        recorder.finish(RunStatus.DONE, words, words);
        recorder.close();
        return recorder.folder().path();
    }

    private StepRecord step(long step, List<Integer> members, List<Integer> shares, long steps) {
        List<WorkerTimes> workers = new ArrayList<>();
        double slowestNs = 0;
        double[] computeNs = new double[members.size()];
        for (int rank = 0; rank < computeNs.length; rank++) {
            double perSampleNs =
                    (members.get(rank) == 1 ? 0.31e6 : members.get(rank) == 2 ? 0.45e6 : 0.62e6);
            computeNs[rank] = shares.get(rank) * perSampleNs * (1 + 0.04 * random.nextGaussian());
            slowestNs = Math.max(slowestNs, computeNs[rank]);
        }
        long dataNs = (long) (1e5 + 4e5 * Math.abs(random.nextGaussian()));
        for (int rank = 0; rank < computeNs.length; rank++) {
            int id = members.get(rank);
            workers.add(
                    new WorkerTimes(
                            id,
                            shares.get(rank),
                            (long) computeNs[rank],
                            (long) (1.6e6 * (1 + 0.2 * random.nextGaussian())),
                            (long) (slowestNs - computeNs[rank]),
                            dataNs,
                            4_300_000,
                            (long)
                                    ((420 + 30 * id + 40 * (1 - Math.exp(-40.0 * step / steps)))
                                            * 1048576)));
        }
        long stepNs = (long) (slowestNs + 2.4e6 + dataNs);
        clock.passNs(stepNs);
        double loss = 0.28 + 2.0 * Math.exp(-9.0 * step / steps) + 0.07 * random.nextGaussian();
        return new StepRecord(
                step,
                4 * (step - 1) / steps,
                1,
                1,
                Math.max(0.02, loss),
                1e-3
                        * Math.min(1, 20.0 * step / steps)
                        * 0.5
                        * (1 + Math.cos(Math.PI * step / steps)),
                Math.abs(1.1 + 3 * Math.exp(-12.0 * step / steps) + 0.2 * random.nextGaussian()),
                shares.stream().mapToInt(Integer::intValue).sum(),
                clock.wallMillis(),
                stepNs,
                workers);
    }

    private void evaluate(RunRecorder recorder, long step, long steps) {
        clock.passMillis(350);
        double accuracy =
                0.915 - 0.4 * Math.exp(-5.0 * step / steps) + 0.004 * random.nextGaussian();
        recorder.evaluation(
                new EvaluationRecord(
                        step,
                        4 * step / steps,
                        step * 128,
                        clock.wallMillis(),
                        350_000_000,
                        List.of(
                                new MetricValue("accuracy", accuracy, Better.HIGHER),
                                new MetricValue(
                                        "loss",
                                        0.31 + 1.8 * Math.exp(-8.0 * step / steps),
                                        Better.LOWER))));
    }

    private void plan(
            RunRecorder recorder,
            int version,
            long fromStep,
            List<Integer> workers,
            List<Integer> shares,
            String why) {
        recorder.plan(
                new PlanRecord(
                        clock.wallMillis(),
                        fromStep,
                        version,
                        workers,
                        new Plan(version, shares, 64, why),
                        List.of()));
        event(recorder, fromStep - 1, Kind.PLAN, why);
    }

    private void event(RunRecorder recorder, long step, Kind kind, String message) {
        recorder.event(RunEvent.of(clock.wallMillis(), step, kind, message));
    }
}
