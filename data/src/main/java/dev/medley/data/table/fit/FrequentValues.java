package dev.medley.data.table.fit;

import dev.medley.base.table.TermSpec;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Chooses the values of a category that are told apart: those that enough training rows have. */
final class FrequentValues {
    private FrequentValues() {}

    /**
     * Whether each value is kept. Of equally frequent ones the first are.
     *
     * @param rows that have each value
     * @param from the first value among them; those before are not kept
     */
    static boolean[] of(long[] rows, int from, TermSpec terms) {
        boolean[] isKept = new boolean[rows.length];
        int most = terms.maxCategories() == 0 ? rows.length : terms.maxCategories();
        IntStream.range(from, rows.length)
                .filter(value -> rows[value] >= terms.minFrequency())
                .boxed()
                .sorted(Comparator.comparingLong(value -> -rows[value]))
                .limit(most)
                .forEach(value -> isKept[value] = true);
        return isKept;
    }
}
