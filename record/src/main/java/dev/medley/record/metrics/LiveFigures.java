package dev.medley.record.metrics;

import dev.medley.record.entry.EvaluationRecord;
import dev.medley.record.entry.MetricValue;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.entry.StepRecord;
import dev.medley.record.entry.WorkerTimes;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a run at one moment; never changes, so that any thread may read it.
 *
 * @param steps applied while this was watched
 * @param samples of them
 * @param trainingNs of them
 * @param samplesPerSecond over the last seconds
 * @param lastStep the latest; null before the first
 * @param workers those that are present
 * @param highestStep so far; a run that went back takes steps again
 * @param goodSamples of steps that were not taken before
 * @param evaluations made
 * @param evaluationNs of them
 * @param lastEvaluation the latest; null before the first
 * @param best the best value of each metric so far
 * @param events counted by kind
 */
record LiveFigures(
        long steps,
        long samples,
        long trainingNs,
        double samplesPerSecond,
        @Nullable StepRecord lastStep,
        LiveWorkers workers,
        long highestStep,
        long goodSamples,
        long evaluations,
        long evaluationNs,
        @Nullable EvaluationRecord lastEvaluation,
        Map<String, MetricValue> best,
        Map<RunEvent.Kind, Long> events) {
    /** Steps of the last seconds weigh most: an exponential mean over time. */
    private static final double MEMORY_NS = 5e9;

    /** Nothing happened yet. */
    static LiveFigures none() {
        return new LiveFigures(
                0, 0, 0, 0, null, LiveWorkers.NONE, 0, 0, 0, 0, null, Map.of(), Map.of());
    }

    /** With one more step. */
    LiveFigures plus(StepRecord step) {
        boolean isNew = step.step() > highestStep;
        double weight = steps == 0 ? 1 : 1 - Math.exp(-step.stepNs() / MEMORY_NS);
        return new LiveFigures(
                steps + 1,
                samples + step.samples(),
                trainingNs + step.stepNs(),
                samplesPerSecond + weight * (step.samplesPerSecond() - samplesPerSecond),
                step,
                workers.plus(step.workers()),
                Math.max(highestStep, step.step()),
                goodSamples + (isNew ? step.samples() : 0),
                evaluations,
                evaluationNs,
                lastEvaluation,
                best,
                events);
    }

    /** With one more evaluation. */
    LiveFigures plus(EvaluationRecord evaluation) {
        Map<String, MetricValue> next = new TreeMap<>(best);
        for (MetricValue metric : evaluation.metrics()) {
            next.merge(metric.name(), metric, (old, now) -> now.beats(old) ? now : old);
        }
        return new LiveFigures(
                steps,
                samples,
                trainingNs,
                samplesPerSecond,
                lastStep,
                workers,
                highestStep,
                goodSamples,
                evaluations + 1,
                evaluationNs + evaluation.durationNs(),
                evaluation,
                next,
                events);
    }

    /** With one more event. */
    LiveFigures plus(RunEvent event) {
        Map<RunEvent.Kind, Long> next = new EnumMap<>(RunEvent.Kind.class);
        next.putAll(events);
        next.merge(event.kind(), 1L, Long::sum);
        boolean isGone = event.kind() == RunEvent.Kind.LOST || event.kind() == RunEvent.Kind.LEFT;
        Integer worker = event.worker();
        return new LiveFigures(
                steps,
                samples,
                trainingNs,
                samplesPerSecond,
                lastStep,
                isGone && worker != null ? workers.without(worker) : workers,
                highestStep,
                goodSamples,
                evaluations,
                evaluationNs,
                lastEvaluation,
                best,
                next);
    }

    /** With other workers. */
    LiveFigures with(LiveWorkers others) {
        return new LiveFigures(
                steps,
                samples,
                trainingNs,
                samplesPerSecond,
                lastStep,
                others,
                highestStep,
                goodSamples,
                evaluations,
                evaluationNs,
                lastEvaluation,
                best,
                events);
    }

    /** All of it in Prometheus' words; families without a sample are left out. */
    void writeTo(Exposition out) {
        counters(out);
        if (lastStep != null) {
            lastStep(out, lastStep);
        }
        workers.writeTo(out);
        evaluations(out);
        out.counter("medley_events_total", "Events besides steps, by kind.");
        for (RunEvent.Kind kind : RunEvent.Kind.values()) {
            String word = kind.name().toLowerCase(Locale.ROOT);
            out.sample(events.getOrDefault(kind, 0L), "kind", word);
        }
    }

    private void counters(Exposition out) {
        out.counter(
                        "medley_steps_total",
                        "Steps applied by this process; rounds, where the strategy has them.")
                .sample(steps);
        out.counter("medley_samples_total", "Training samples of those steps.").sample(samples);
        out.counter("medley_training_seconds_total", "Time of those steps.")
                .sample(trainingNs / 1e9);
        out.gauge(
                        "medley_samples_per_second",
                        "Training samples per second over the last seconds, all workers.")
                .sample(samplesPerSecond);
    }

    private void lastStep(Exposition out, StepRecord step) {
        out.gauge("medley_step", "Number of the last applied step.").sample(step.step());
        out.gauge("medley_data_epoch", "Whole passes over the training samples.")
                .sample(step.dataEpoch());
        out.gauge("medley_group_epoch", "Epoch of the group; grows as it re-forms.")
                .sample(step.groupEpoch());
        out.gauge("medley_plan_version", "Version of the plan that holds.")
                .sample(step.planVersion());
        out.gauge("medley_workers", "Workers that took the last step.")
                .sample(step.workers().size());
        out.gauge("medley_loss", "Training loss of the last step.").sample(step.loss());
        out.gauge("medley_learning_rate", "Learning rate of the last step.")
                .sample(step.learningRate());
        out.gauge("medley_gradient_norm", "Gradient norm before clipping.")
                .sample(step.gradientNormOrNaN());
        out.gauge("medley_step_seconds", "Time of the last step.").sample(step.stepNs() / 1e9);
        out.gauge("medley_last_step_timestamp_seconds", "When it was applied.")
                .sample(step.wallMillis() / 1e3);
        out.gauge("medley_worker_resident_bytes", "Memory of a worker in RAM.");
        for (WorkerTimes times : step.workers()) {
            if (workers.figures().containsKey(times.worker())) {
                out.sample(times.residentBytes(), workers.labels(times.worker()));
            }
        }
    }

    private void evaluations(Exposition out) {
        out.counter("medley_evaluations_total", "Evaluations made.").sample(evaluations);
        out.counter("medley_evaluation_seconds_total", "Time of evaluations.")
                .sample(evaluationNs / 1e9);
        if (lastEvaluation == null) {
            return;
        }
        out.gauge("medley_evaluation_step", "Step after which the last one was made.")
                .sample(lastEvaluation.step());
        out.gauge("medley_validation_loss", "Mean loss over the validation samples.")
                .sample(lastEvaluation.loss());
        List<MetricValue> metrics = lastEvaluation.metrics();
        out.gauge("medley_evaluation", "Metrics of the last evaluation.");
        metrics.forEach(metric -> out.sample(metric.value(), "metric", metric.name()));
        out.gauge("medley_evaluation_best", "Best value of each metric so far.");
        best.forEach((name, metric) -> out.sample(metric.value(), "metric", name));
    }
}
