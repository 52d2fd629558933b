package dev.medley.inference.metric;

import dev.medley.base.evaluation.EvaluationSection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The result of an evaluation.
 *
 * @param figures by metric name, in the order of the job's metrics; none is a number where the
 *     outputs for some samples are none
 * @param loss mean of what is minimised, whatever the metrics are
 * @param confusion a row for each true class: what its samples were taken for, in the order of the
 *     target's classes; empty where there are none, or more than anybody looks at
 * @param unsound how many samples have outputs that mean nothing
 * @param firstUnsound the index of the first of them
 * @param samples that were evaluated
 * @param sections of a report, computed when they are asked for
 */
public record Evaluation(
        Map<String, Double> figures,
        double loss,
        List<List<Double>> confusion,
        long unsound,
        long firstUnsound,
        long samples,
        Supplier<List<EvaluationSection>> sections) {
    /** Sections of nothing. */
    static final Supplier<List<EvaluationSection>> NO_REPORT = List::of;

    public Evaluation {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    /** Without a report. */
    public Evaluation(
            Map<String, Double> figures,
            double loss,
            List<List<Double>> confusion,
            long unsound,
            long firstUnsound,
            long samples) {
        this(figures, loss, confusion, unsound, firstUnsound, samples, NO_REPORT);
    }

    /** Why no figure is a number, as a sentence that goes on; null where outputs are in order. */
    public @Nullable String trouble() {
        return unsound == 0
                ? null
                : String.format(
                        Locale.ROOT,
                        "the model's outputs for %,d of %,d samples are not numbers, the first is"
                                + " sample %,d: no metric is computed; %s",
                        unsound,
                        samples,
                        firstUnsound + 1,
                        SoundOutputs.REMEDY);
    }
}
