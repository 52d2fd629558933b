package dev.medley.record.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up the figures of a run. Guarded by the recorder's lock. */
public final class RunTally {
    private final long startedMillis;
    private final Map<Integer, WorkerTotals> workers = new TreeMap<>();
    private final SortedMap<Long, LinkTotals> links = new TreeMap<>();
    private final Map<String, RelayTotals> relayed = new TreeMap<>();
    private long steps;
    private long repeatedSteps;
    private long samples;
    private long trainingNs;
    private long evaluationNs;
    private double loss = Double.NaN;
    private List<MetricValue> metrics = List.of();
    private RunSummary.@Nullable Best best;
    private int lostWorkers;
    private long lastEvaluatedStep;
    private List<StepRange> missing = List.of();
    private LossTally losses = new LossTally();

    /** A run that began then and has done nothing yet. */
    public RunTally(long startedMillis) {
        this.startedMillis = startedMillis;
    }

    /**
     * Goes on from a summary after {@code step}, or after its last one where that is earlier. The
     * best evaluation since then and the last one are newly counted by the caller.
     */
    public static RunTally after(RunSummary before, long step) {
        RunTally tally = new RunTally(before.startedMillis());
        before.workers().forEach(worker -> tally.workers.put(worker.worker(), worker));
        before.links().forEach(tally::link);
        before.relayed().forEach(tally::relayed);
        tally.steps = Math.min(step, before.steps());
        tally.missing = StepRange.upTo(before.missing(), step);
        RunSummary.Best best = before.best();
        tally.best = best == null || best.step() > step ? null : best;
        tally.repeatedSteps = before.repeatedSteps() + Math.max(0, before.steps() - step);
        tally.samples = before.samples();
        tally.trainingNs = before.trainingNs();
        tally.evaluationNs = before.evaluationNs();
        tally.lostWorkers = before.lostWorkers();
        tally.losses = LossTally.after(before.losses(), before.steps() > step ? before.steps() : 0);
        return tally;
    }

    /** The same in another process, which begins then. */
    public static RunTally resumed(RunSummary before, long step) {
        RunTally tally = after(before, step);
        tally.losses = LossTally.resumed(before.losses());
        return tally;
    }

    /** The last step counted. */
    public long steps() {
        return steps;
    }

    /** Steps up to {@code last} were applied, and their figures are lost. */
    public void lacks(long last, long itsSamples) {
        lacks(List.of(new StepRange(steps + 1, last)));
        steps = last;
        samples += itsSamples;
    }

    /** Lines of steps that were counted are lost. */
    public void lacks(List<StepRange> lines) {
        List<StepRange> all = new ArrayList<>(missing);
        all.addAll(lines);
        missing = StepRange.merged(all);
    }

    /** Counts a step. */
    public void step(StepRecord step) {
        if (step.step() > steps + 1) {
            lacks(step.step() - 1, 0);
        }
        steps = step.step();
        samples += step.samples();
        trainingNs += step.stepNs();
        loss = step.loss();
        losses.step(step);
        for (WorkerTimes times : step.workers()) {
            WorkerTotals before =
                    workers.getOrDefault(times.worker(), WorkerTotals.none(times.worker()));
            workers.put(times.worker(), before.plus(times, step.stepNs()));
        }
    }

    /** Counts what moved over a link. */
    public void link(LinkTotals more) {
        // Some hundred times a second: a text would take longer than the rest of what is counted.
        links.merge(((long) more.from() << 32) | more.to(), more, LinkTotals::plus);
    }

    /** Counts what a relay passed on. */
    public void relayed(RelayTotals more) {
        String key = "%06d %06d %06d".formatted(more.relay(), more.from(), more.to());
        relayed.merge(key, more, RelayTotals::plus);
    }

    /** Counts an evaluation. */
    public void evaluation(EvaluationRecord evaluation) {
        evaluationNs += evaluation.durationNs();
        outcome(evaluation);
    }

    /** After which step the last evaluation was made; 0 before the first. */
    public long lastEvaluatedStep() {
        return lastEvaluatedStep;
    }

    /** Counts an evaluation's metrics but not its time. */
    public void outcome(EvaluationRecord evaluation) {
        lastEvaluatedStep = evaluation.step();
        metrics = evaluation.metrics();
        // Of equal figures the last counts, as for the model that is kept.
        if (!metrics.isEmpty() && (best == null || !best.metric().beats(metrics.get(0)))) {
            best = new RunSummary.Best(metrics.get(0), evaluation.step());
        }
    }

    /** A group begins with this plan. */
    public void formed(PlanRecord plan) {
        losses.formed(plan);
    }

    /** Counts an event. */
    public void event(RunEvent event) {
        if (event.kind() == RunEvent.Kind.LOST) {
            lostWorkers++;
            if (event.worker() != null) {
                losses.lost(event.worker(), event.step(), event.wallMillis());
            }
        }
    }

    /** All that was counted, as it stands. */
    public RunSummary summary(
            RunStatus state,
            String message,
            @Nullable String resume,
            long nowMillis,
            long unwrittenLines,
            long thinnedLines) {
        return new RunSummary(
                state,
                message,
                resume,
                startedMillis,
                nowMillis,
                steps,
                repeatedSteps,
                samples,
                trainingNs,
                evaluationNs,
                loss,
                metrics,
                best,
                List.copyOf(workers.values()),
                List.copyOf(links.values()),
                List.copyOf(relayed.values()),
                lostWorkers,
                losses.losses(),
                unwrittenLines,
                missing,
                thinnedLines);
    }
}
