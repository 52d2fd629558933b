package dev.medley.base.evaluation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The coefficients of a linear model that are furthest from 0, by the names of columns and
 * categories.
 *
 * @param coefficients how many the model has, intercepts aside
 * @param zeros how many of them are 0
 * @param largest by falling size
 */
public record LargestCoefficients(long coefficients, long zeros, List<Coefficient> largest)
        implements EvaluationSection {
    public LargestCoefficients {
        largest = List.copyOf(largest);
    }

    /**
     * A coefficient.
     *
     * @param output the class whose score it counts for; empty where there is one score
     * @param feature as the model reads it
     * @param standardError of an unpenalised fit; null where nothing is known
     * @param p how likely a value as far from 0 is by chance alone; null where nothing is known
     */
    public record Coefficient(
            String output,
            String feature,
            double value,
            @Nullable Double standardError,
            @Nullable Double p) {}

    @Override
    public String title() {
        return "Coefficients";
    }

    @Override
    public List<String> sentences() {
        return List.of(
                String.format(
                        Locale.ROOT,
                        "The largest of %,d coefficients, %,d of which are 0. They count for"
                            + " features as the model reads them: scaled numbers, and 1 for a row's"
                            + " own category. All are in coefficients.csv.",
                        coefficients,
                        zeros));
    }

    @Override
    public List<ReportTable> tables() {
        boolean hasOutputs = largest.stream().anyMatch(c -> !c.output().isEmpty());
        boolean hasErrors = largest.stream().anyMatch(c -> c.standardError() != null);
        List<String> heads = new ArrayList<>(List.of("feature"));
        if (hasOutputs) {
            heads.add("class");
        }
        heads.add("coefficient");
        if (hasErrors) {
            heads.addAll(List.of("standard error", "p"));
        }
        List<List<String>> rows = new ArrayList<>();
        for (Coefficient c : largest) {
            List<String> row = new ArrayList<>(List.of(c.feature()));
            if (hasOutputs) {
                row.add(c.output());
            }
            row.add(String.format(Locale.ROOT, "%.4g", c.value()));
            if (hasErrors) {
                row.add(shown(c.standardError()));
                row.add(shown(c.p()));
            }
            rows.add(row);
        }
        return List.of(ReportTable.plain("Largest coefficients", heads, rows));
    }

    private static String shown(@Nullable Double value) {
        return value == null || value.isNaN() ? "" : String.format(Locale.ROOT, "%.3g", value);
    }
}
