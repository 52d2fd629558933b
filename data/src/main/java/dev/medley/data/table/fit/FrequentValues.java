package dev.medley.data.table.fit;

import dev.medley.base.table.TermSpec;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Chooses the values of a category that are told apart: those that enough training rows have. */
public final class FrequentValues {
    private FrequentValues() {}

    /**
     * Whether each value is kept. Of equally frequent ones the first are.
     *
     * @param rows that have each value
     * @param from the first value among them; those before are not kept
     */
    static boolean[] of(long[] rows, int from, TermSpec terms) {
        int most = terms.maxCategories() == 0 ? rows.length : terms.maxCategories();
        return of(rows, from, terms.minFrequency(), most);
    }

    /**
     * The same.
     *
     * @param least rows that a value has to have
     * @param most values that are kept
     */
    public static boolean[] of(long[] rows, int from, long least, int most) {
        boolean[] isKept = new boolean[rows.length];
        IntStream.range(from, rows.length)
                .filter(value -> rows[value] >= least)
                .boxed()
                .sorted(Comparator.comparingLong(value -> -rows[value]))
                .limit(most)
                .forEach(value -> isKept[value] = true);
        return isKept;
    }
}
