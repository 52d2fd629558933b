package dev.medley.base.evaluation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an evaluation, for people and for programs: JSON as it stands, and the source of
 * what a terminal prints and a page draws.
 *
 * @param of what was evaluated, as a phrase: {@code Validation samples after step 1,200}
 * @param samples how many
 * @param metrics by name, in the job's order; null where one is not a number
 * @param sections as the target has them
 */
public record EvaluationReport(
        String of,
        long samples,
        Map<String, @Nullable Double> metrics,
        List<EvaluationSection> sections) {
    /** What a worker's note is called that brings one. */
    public static final String KIND = "evaluation-report";

    public EvaluationReport {
        metrics = Collections.unmodifiableMap(new LinkedHashMap<>(metrics));
        sections = List.copyOf(sections);
    }

    /** Of figures that may be no numbers. */
    public static EvaluationReport of(
            String of,
            long samples,
            Map<String, Double> figures,
            List<EvaluationSection> sections) {
        Map<String, @Nullable Double> metrics = new LinkedHashMap<>();
        figures.forEach((name, f) -> metrics.put(name, Double.isFinite(f) ? f : null));
        return new EvaluationReport(of, samples, metrics, sections);
    }

    /** The first section of a type; empty where there is none. */
    public <T extends EvaluationSection> Optional<T> section(Class<T> type) {
        return sections.stream().filter(type::isInstance).map(type::cast).findFirst();
    }

    /** The same with one section more. */
    public EvaluationReport with(EvaluationSection section) {
        List<EvaluationSection> all = new ArrayList<>(sections);
        all.add(section);
        return new EvaluationReport(of, samples, metrics, all);
    }
}
