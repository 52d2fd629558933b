package dev.medley.record.entry;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import dev.medley.base.text.Units;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a run so far; exact, also where step lines were thinned. Written every few seconds
 * while the run trains, and when it ends.
 *
 * @param state of the run
 * @param message one sentence: why it ended, or what it does
 * @param resume the command that resumes it; null where there is nothing to resume
 * @param startedMillis when it began
 * @param updatedMillis when this was written
 * @param steps number of the last applied step
 * @param repeatedSteps that were taken again, since the run went back to a checkpoint; samples,
 *     times and workers count them each time; 0 in older records
 * @param samples of all steps that were applied
 * @param trainingNs time of all steps
 * @param evaluationNs time of all evaluations
 * @param loss of the last step; NaN before the first
 * @param metrics of the last evaluation; empty before the first
 * @param best best value of the first metric and its step; null before the first evaluation
 * @param workers in order of ids
 * @param links what workers sent to each other over TCP; empty in older records
 * @param relayed what workers handed on between others, which these count among {@code links};
 *     empty in older records
 * @param lostWorkers how often a worker was lost
 * @param losses what that cost, in order; the newest 1,000; empty in older records
 * @param unwrittenLines of the record that the disk refused
 * @param missing steps that were applied and of which no figures came, since the worker that had
 *     them was lost; {@code samples} counts theirs, times do not
 * @param thinnedLines of evaluations and events that were left out in a long run
 */
public record RunSummary(
        RunStatus state,
        String message,
        @Nullable String resume,
        long startedMillis,
        long updatedMillis,
        long steps,
        @JsonSetter(nulls = Nulls.AS_EMPTY) long repeatedSteps,
        long samples,
        long trainingNs,
        long evaluationNs,
        double loss,
        List<MetricValue> metrics,
        @Nullable Best best,
        List<WorkerTotals> workers,
        @JsonSetter(nulls = Nulls.AS_EMPTY) List<LinkTotals> links,
        @JsonSetter(nulls = Nulls.AS_EMPTY) List<RelayTotals> relayed,
        int lostWorkers,
        @JsonSetter(nulls = Nulls.AS_EMPTY) List<WorkerLoss> losses,
        long unwrittenLines,
        @JsonSetter(nulls = Nulls.AS_EMPTY) List<StepRange> missing,
        @JsonSetter(nulls = Nulls.AS_EMPTY) long thinnedLines) {
    private static final int MOST_TOLD = 5;

    public RunSummary {
        losses = List.copyOf(losses);
        missing = List.copyOf(missing);
        metrics = List.copyOf(metrics);
        workers = List.copyOf(workers);
        links = List.copyOf(links);
        relayed = List.copyOf(relayed);
    }

    /** The best evaluation: its first metric and the step after which it was made. */
    public record Best(MetricValue metric, long step) {}

    /** How many steps were applied without figures. */
    public long missingSteps() {
        return missing.stream().mapToLong(StepRange::count).sum();
    }

    /** How many steps were applied; those that were taken again count each time. */
    public long stepsTaken() {
        return steps + repeatedSteps;
    }

    /** Samples per second of training, evaluations left out. */
    public double samplesPerSecond() {
        return trainingNs > 0 ? samples * 1e9 / trainingNs : 0;
    }

    /** From the beginning to the end, or to the last sign of life. */
    public long durationMillis() {
        return updatedMillis - startedMillis;
    }

    /**
     * {@code Between sites 63 bytes a sample (252 without a codec), 1.2 GiB in all}; empty where
     * nothing went between sites.
     */
    public String betweenSites() {
        LinkTotals between = LinkTotals.between(links);
        if (between.sentBytes() == 0 || samples == 0) {
            return "";
        }
        String plain =
                between.plainBytes() == between.sentBytes()
                        ? ""
                        : " (%s without a codec)".formatted(aSample(between.plainBytes()));
        return "Between sites %s bytes a sample%s, %s in all"
                .formatted(
                        aSample(between.sentBytes()),
                        plain,
                        Units.bytes((double) between.sentBytes()));
    }

    /**
     * {@code Relayed, each byte over the relay's links in and out: worker 2 to worker 3 through
     * worker 1: 1.2 MiB}; empty where nothing was.
     */
    public String throughRelays() {
        return relayed.isEmpty()
                ? ""
                : "Relayed, each byte over the relay's links in and out: "
                        + String.join(", ", relayed.stream().map(RelayTotals::sentence).toList());
    }

    /**
     * What lost workers cost, a sentence each, and one of all where they are several; only the
     * newest five are told.
     *
     * @param word for a step of the run
     */
    public List<String> lossSentences(String word) {
        List<String> sentences = new ArrayList<>();
        List<WorkerLoss> told =
                losses.subList(Math.max(0, losses.size() - MOST_TOLD), losses.size());
        told.forEach(loss -> sentences.add(loss.sentence(word)));
        if (losses.size() > 1) {
            long costNs = losses.stream().mapToLong(WorkerLoss::costNs).sum();
            sentences.add(
                    "Lost workers cost %s in all, %d times"
                            .formatted(Units.duration((double) costNs), losses.size()));
        }
        return sentences;
    }

    private String aSample(long bytes) {
        return Units.count(Math.round((double) bytes / samples));
    }

    /** The same figures of a run that is in another state, and why. */
    public RunSummary withState(RunStatus other, String why) {
        return new RunSummary(
                other,
                why,
                resume,
                startedMillis,
                updatedMillis,
                steps,
                repeatedSteps,
                samples,
                trainingNs,
                evaluationNs,
                loss,
                metrics,
                best,
                workers,
                links,
                relayed,
                lostWorkers,
                losses,
                unwrittenLines,
                missing,
                thinnedLines);
    }
}
