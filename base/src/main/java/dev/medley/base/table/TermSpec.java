package dev.medley.base.table;

import static dev.medley.base.ConfigException.check;

/**
 * The choice of the values of categories that a model tells apart. The others are one category,
 * which values that training has not seen join.
 *
 * @param minFrequency training rows that a value has to have; 1 for all
 * @param maxCategories most values of a column, of which the most frequent are kept; 0 for any
 *     number
 */
public record TermSpec(int minFrequency, int maxCategories) {
    public TermSpec {
        check(
                minFrequency >= 1,
                "data.table.min_frequency=%d: at least 1 row, which every value has",
                minFrequency);
        check(
                maxCategories >= 0,
                "data.table.max_categories=%d: 0 for any number, or how many are kept",
                maxCategories);
    }

    /** All values, each for itself. */
    public static TermSpec defaults() {
        return new TermSpec(1, 0);
    }
}
