package dev.medley.record.report;

import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import dev.medley.record.folder.RunRecord;
import dev.medley.record.folder.WorkerNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The figures that the page's script draws, in columns. A null is a gap.
 *
 * @param word what a step is called
 * @param step of each point
 * @param seconds since the run began, of each point
 * @param loss of training
 * @param samplesPerSecond of the whole group
 * @param learningRate applied
 * @param gradientNorm before clipping; null if nobody measured it
 * @param timeMs of a step, by what it was spent on, mean over the workers
 * @param workers the most interesting ones
 * @param evaluations their own axis
 * @param marks what happened meanwhile
 */
record ChartData(
        String word,
        List<@Nullable Number> step,
        List<@Nullable Number> seconds,
        Noisy loss,
        Noisy samplesPerSecond,
        List<@Nullable Number> learningRate,
        @Nullable Noisy gradientNorm,
        TimeSplit timeMs,
        List<WorkerCurves> workers,
        Evaluations evaluations,
        List<Mark> marks) {
    /** Workers with curves of their own; more would be a tangle. */
    static final int MOST_WORKERS = 16;

    private static final Set<RunEvent.Kind> MARKED =
            Set.of(
                    RunEvent.Kind.JOINED,
                    RunEvent.Kind.LOST,
                    RunEvent.Kind.PLAN,
                    RunEvent.Kind.PRECISION,
                    RunEvent.Kind.RESUMED);

    /** A figure with its spread within each point, and its trend. */
    record Noisy(
            List<@Nullable Number> mean,
            List<@Nullable Number> low,
            List<@Nullable Number> high,
            List<@Nullable Number> smooth) {}

    /** Milliseconds of a step. */
    record TimeSplit(
            List<@Nullable Number> compute,
            List<@Nullable Number> exchange,
            List<@Nullable Number> waiting,
            List<@Nullable Number> data,
            List<@Nullable Number> other) {}

    /** One worker's share in percent and resident memory in MiB; gaps where it was no member. */
    record WorkerCurves(
            String name, List<@Nullable Number> sharePercent, List<@Nullable Number> memoryMib) {}

    /** All evaluations. */
    record Evaluations(
            List<@Nullable Number> step,
            List<@Nullable Number> seconds,
            List<@Nullable Number> loss,
            List<Metric> metrics,
            @Nullable Number target) {}

    /** One metric at each evaluation, and which one was best; -1 if none was a number. */
    record Metric(String name, List<@Nullable Number> values, int best) {}

    /** An event on both axes. */
    record Mark(long step, Number seconds, String kind, String text) {}

    static ChartData of(RunRecord run) {
        List<StepRecord> steps = run.steps();
        long startMillis = run.summary().startedMillis();
        double[] norms = steps.stream().mapToDouble(StepRecord::gradientNormOrNaN).toArray();
        boolean hasNorm = java.util.Arrays.stream(norms).anyMatch(Double::isFinite);
        return new ChartData(
                run.stepWord().one(),
                last(steps, StepRecord::step),
                last(steps, step -> (step.wallMillis() - startMillis) / 1e3),
                noisy(steps, StepRecord::loss),
                noisy(steps, StepRecord::samplesPerSecond),
                mean(steps, StepRecord::learningRate),
                hasNorm ? noisy(steps, StepRecord::gradientNormOrNaN) : null,
                timeSplit(steps),
                workers(steps, run.names()),
                evaluations(run, startMillis),
                marks(run, startMillis));
    }

    private static TimeSplit timeSplit(List<StepRecord> steps) {
        return new TimeSplit(
                meanMs(steps, WorkerTimes::computeNs),
                meanMs(steps, WorkerTimes::exchangeNs),
                meanMs(steps, WorkerTimes::waitingNs),
                meanMs(steps, WorkerTimes::dataNs),
                mean(
                        steps,
                        step ->
                                Math.max(
                                        0, step.stepNs() / 1e6 - meanMs(step, ChartData::busyNs))));
    }

    private static long busyNs(WorkerTimes times) {
        return times.computeNs() + times.exchangeNs() + times.waitingNs() + times.dataNs();
    }

    private static List<@Nullable Number> meanMs(
            List<StepRecord> steps, ToLongFunction<WorkerTimes> ns) {
        return mean(steps, step -> meanMs(step, ns));
    }

    private static double meanMs(StepRecord step, ToLongFunction<WorkerTimes> ns) {
        return step.workers().stream().mapToLong(ns).average().orElse(0) / 1e6;
    }

    private static List<WorkerCurves> workers(List<StepRecord> steps, WorkerNames names) {
        List<Integer> ids =
                steps.stream()
                        .flatMap(step -> step.workers().stream())
                        .map(WorkerTimes::worker)
                        .distinct()
                        .sorted()
                        .limit(MOST_WORKERS)
                        .collect(Collectors.toList());
        List<WorkerCurves> curves = new ArrayList<>();
        for (int id : ids) {
            curves.add(
                    new WorkerCurves(
                            names.of(id),
                            mean(
                                    steps,
                                    step ->
                                            of(
                                                    step,
                                                    id,
                                                    w -> 100.0 * w.samples() / step.samples())),
                            mean(steps, step -> of(step, id, w -> w.residentBytes() / 1048576.0))));
        }
        return curves;
    }

    private static double of(StepRecord step, int worker, ToDoubleFunction<WorkerTimes> figure) {
        for (WorkerTimes times : step.workers()) {
            if (times.worker() == worker) {
                return figure.applyAsDouble(times);
            }
        }
        return Double.NaN;
    }

    private static Evaluations evaluations(RunRecord run, long startMillis) {
        List<EvaluationRecord> all = run.evaluations();
        List<Metric> metrics = new ArrayList<>();
        int count = all.stream().mapToInt(e -> e.metrics().size()).min().orElse(0);
        for (int i = 0; i < count; i++) {
            metrics.add(metric(all, i));
        }
        return new Evaluations(
                numbers(all.stream().mapToDouble(EvaluationRecord::step).toArray()),
                numbers(
                        all.stream()
                                .mapToDouble(e -> (e.wallMillis() - startMillis) / 1e3)
                                .toArray()),
                numbers(all.stream().mapToDouble(EvaluationRecord::loss).toArray()),
                metrics,
                JobText.target(run.job()));
    }

    private static Metric metric(List<EvaluationRecord> all, int index) {
        double[] values = new double[all.size()];
        int best = -1;
        for (int i = 0; i < values.length; i++) {
            MetricValue value = all.get(i).metrics().get(index);
            values[i] = value.value();
            boolean isBetter =
                    best < 0
                            ? !Double.isNaN(value.value())
                            : value.beats(all.get(best).metrics().get(index));
            best = isBetter ? i : best;
        }
        return new Metric(all.get(0).metrics().get(index).name(), numbers(values), best);
    }

    private static List<Mark> marks(RunRecord run, long startMillis) {
        long firstStep = run.steps().isEmpty() ? 0 : run.steps().get(0).step();
        return run.events().stream()
                .filter(event -> MARKED.contains(event.kind()) && event.step() >= firstStep)
                .map(
                        event ->
                                new Mark(
                                        event.step(),
                                        (event.wallMillis() - startMillis) / 1e3,
                                        event.kind().name(),
                                        event.message()))
                .limit(200)
                .toList();
    }

    private static Noisy noisy(List<StepRecord> steps, ToDoubleFunction<StepRecord> figure) {
        double[] values = steps.stream().mapToDouble(figure).toArray();
        Curve curve = Curve.of(values);
        Curve trend = Curve.of(Curve.smooth(values));
        return new Noisy(
                numbers(curve.mean()),
                numbers(curve.low()),
                numbers(curve.high()),
                numbers(trend.mean()));
    }

    private static List<@Nullable Number> mean(
            List<StepRecord> steps, ToDoubleFunction<StepRecord> figure) {
        return numbers(Curve.of(steps, figure).mean());
    }

    /** The figure of each bucket's last step, so that an axis ends where the run does. */
    private static List<@Nullable Number> last(
            List<StepRecord> steps, ToDoubleFunction<StepRecord> figure) {
        double[] values = new double[Curve.buckets(steps.size())];
        for (int bucket = 0; bucket < values.length; bucket++) {
            int last = Curve.start(bucket + 1, steps.size()) - 1;
            values[bucket] = figure.applyAsDouble(steps.get(last));
        }
        return numbers(values);
    }

    /** Six digits are more than a screen shows, and keep the page small. */
    static List<@Nullable Number> numbers(double[] values) {
        List<@Nullable Number> numbers = new ArrayList<>(values.length);
        for (double value : values) {
            numbers.add(Double.isFinite(value) ? rounded(value) : null);
        }
        return numbers;
    }

    private static Number rounded(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return (long) value;
        }
        return new java.math.BigDecimal(value).round(new java.math.MathContext(6)).doubleValue();
    }
}
