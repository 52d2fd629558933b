package dev.medley.inference.explain;

import java.util.List;

/**
 * An explanation of one row: base plus contributions is the output.
 *
 * @param base what the model says of rows in general
 * @param output what it says of this row, on the explainer's scale
 * @param contributions of the columns, in their order
 * @param errors standard errors of those; empty where the method is exact
 * @param walks over the columns that were drawn; 0 where the method is exact
 * @param isWhole whether as many were drawn as were meant to be
 */
public record Explanation(
        double base,
        double output,
        List<Double> contributions,
        List<Double> errors,
        int walks,
        boolean isWhole) {
    public Explanation {
        contributions = List.copyOf(contributions);
        errors = List.copyOf(errors);
    }

    /** By a method that is exact. */
    static Explanation exact(double base, double output, double[] contributions) {
        return new Explanation(base, output, listed(contributions), List.of(), 0, true);
    }

    static List<Double> listed(double[] values) {
        return java.util.Arrays.stream(values).boxed().toList();
    }
}
