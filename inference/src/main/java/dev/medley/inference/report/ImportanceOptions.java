package dev.medley.inference.report;

import static dev.medley.base.ConfigException.check;

import java.util.List;

/**
 * The extent of a permutation importance.
 *
 * @param columns to look at; empty for all
 * @param repeats how often each is permuted
 * @param seed of the permutations
 */
public record ImportanceOptions(List<String> columns, int repeats, long seed) {
    public ImportanceOptions {
        columns = List.copyOf(columns);
        check(repeats >= 1, "--repeats %d: at least 1", repeats);
    }

    /** All columns, five times each. */
    public static ImportanceOptions defaults() {
        return new ImportanceOptions(List.of(), 5, 1);
    }
}
