package dev.medley.api.plan;

import dev.medley.api.run.JobRun;
import dev.medley.api.run.RunOptions;
import dev.medley.api.run.RunProgress;
import dev.medley.api.run.RunResult;
import dev.medley.base.ConfigException;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.job.TrainSpec.StopSpec;
import dev.medley.control.watch.RunOutcome;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.store.file.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The measured step times of a job, from training it for some seconds with all of its workers and
 * throwing the result away. No formula knows what a step costs beside arithmetic, and what workers
 * take from each other on shared cores.
 *
 * @param steps that were measured: the second half of those that were made, since the JVM compiles
 *     in the first
 * @param stepNs mean, as the slowest worker saw it; what the whole run's speed follows from
 * @param quarterNs a quarter of the steps took less
 * @param threeQuartersNs a quarter took longer
 * @param computeNs mean of the workers' forward, backward and update
 * @param exchangeNs mean of moving and summing what backward did not hide
 * @param waitingNs mean of waiting for other workers
 * @param dataNs mean of waiting for the next batch
 */
public record Trial(
        int steps,
        long stepNs,
        long quarterNs,
        long threeQuartersNs,
        long computeNs,
        long exchangeNs,
        long waitingNs,
        long dataNs) {
    /** How long it takes where steps do not settle. */
    static final long USUAL_MILLIS = 4_000;

    private static final int LEAST_STEPS = 4;
    private static final long SETTLED_MILLIS = 1_000;
    private static final int SETTLED_STEPS = 256;
    private static final double SETTLED_PART = 0.05;
    private static final double UNSURE_PART = 0.3;
    private static final long ENOUGH_STEPS = 1_000_000;

    /** The time of a step of one worker beside the others, without exchange and without waiting. */
    long ownNs() {
        return Math.max(1, stepNs - exchangeNs - waitingNs);
    }

    /** Whether steps differ so much that the mean says little. */
    boolean isUnsure() {
        return stepNs > threeQuartersNs || threeQuartersNs - quarterNs > UNSURE_PART * stepNs;
    }

    /**
     * Whether more steps would say the same: they are many, alike, and no quicker at the end than
     * before it, so that the JVM has compiled what they run.
     */
    static boolean isSettled(List<StepRecord> steps) {
        int quarter = steps.size() / 4;
        if (steps.size() < SETTLED_STEPS || of(steps).isUnsure()) {
            return false;
        }
        long third = mean(steps.subList(2 * quarter, 3 * quarter), StepRecord::stepNs);
        long fourth = mean(steps.subList(3 * quarter, 4 * quarter), StepRecord::stepNs);
        return Math.abs(fourth - third) <= SETTLED_PART * third;
    }

    /**
     * Trains {@code job} for so many milliseconds, at least some steps; for less, at least one
     * second, where its steps are settled.
     */
    static Trial of(JobSpec job, RunOptions options, long millis) {
        Watch watch = new Watch(millis);
        Path folder = temporary();
        try {
            RunOptions there =
                    RunOptions.in(folder, options.cache()).saidAs("trial").withoutGuesses();
            RunResult result = JobRun.train(endless(job), there, watch);
            if (result.outcome().kind() == RunOutcome.Kind.FAILED || watch.steps.isEmpty()) {
                throw new ConfigException("a trial of the job fails: " + result.outcome().why());
            }
            return of(watch.steps);
        } finally {
            remove(folder);
        }
    }

    /** From the records of at least one step. */
    static Trial of(List<StepRecord> steps) {
        List<StepRecord> warm = steps.subList(steps.size() / 2, steps.size());
        return new Trial(
                warm.size(),
                mean(warm, StepRecord::stepNs),
                quantile(warm, 0.25, StepRecord::stepNs),
                quantile(warm, 0.75, StepRecord::stepNs),
                ofWorkers(warm, WorkerTimes::computeNs),
                ofWorkers(warm, WorkerTimes::exchangeNs),
                ofWorkers(warm, WorkerTimes::waitingNs),
                ofWorkers(warm, WorkerTimes::dataNs));
    }

    private static long ofWorkers(List<StepRecord> steps, ToLongFunction<WorkerTimes> time) {
        return mean(steps.stream().flatMap(s -> s.workers().stream()).toList(), time);
    }

    private static <T> long mean(List<T> values, ToLongFunction<T> figure) {
        return (long) values.stream().mapToLong(figure).average().orElse(0);
    }

    private static <T> long quantile(List<T> values, double part, ToLongFunction<T> figure) {
        long[] sorted = values.stream().mapToLong(figure).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) (part * (sorted.length - 1))];
    }

    /** The job without an end, and without what would interrupt or outlive the trial. */
    private static JobSpec endless(JobSpec job) {
        TrainSpec t = job.train();
        TrainSpec train =
                new TrainSpec(
                        new Budget(0, ENOUGH_STEPS, 0),
                        t.batch(),
                        t.loss(),
                        t.optimizer(),
                        t.schedule(),
                        t.clipNorm(),
                        t.accumulate(),
                        t.precision(),
                        t.metrics(),
                        2 * ENOUGH_STEPS,
                        StopSpec.never(),
                        t.groups(),
                        List.of());
        return job.with(train, new CheckpointSpec(0, 0, 1));
    }

    /** Ends the run when it has seen enough. */
    private static final class Watch implements RunProgress {
        private final long enoughMillis;
        private final List<StepRecord> steps = new ArrayList<>();
        private @Nullable Interruptible run;
        private boolean isOver;

        Watch(long enoughMillis) {
            this.enoughMillis = enoughMillis;
        }

        @Override
        public void interruptible(Interruptible interruptible) {
            run = interruptible;
        }

        @Override
        public void stepped(StepRecord step) {
            if (isOver) {
                return;
            }
            steps.add(step);
            long millis = step.wallMillis() - steps.get(0).wallMillis();
            boolean isEnough =
                    steps.size() >= LEAST_STEPS && millis >= enoughMillis
                            || steps.size() % SETTLED_STEPS == 0
                                    && millis >= SETTLED_MILLIS
                                    && isSettled(steps);
            if (run != null && isEnough) {
                isOver = true;
                run.interrupt();
                run.interrupt();
            }
        }
    }

    private static Path temporary() {
        try {
            return TemporaryFolder.make("trial");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
