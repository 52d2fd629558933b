package dev.medley.data.table.term;

import dev.medley.base.table.TermSpec;
import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.SparseColumn.Hashed;
import dev.medley.data.encoding.SparseColumn.Pairs;
import dev.medley.data.encoding.SparseColumn.Words;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fits a column of terms: words are counted over the training rows, and the most terms of any row
 * are found. Takes rows in any order; what it comes to are sums and maxima.
 */
public final class TermFit {
    /** Different words that are counted exactly: some 100 MB. */
    static final int MOST_WORDS = 1 << 20;

    /** Terms of a text that are kept; of longer ones those that weigh most. */
    public static final int MOST_SLOTS = 512;

    /** Times as many terms as the mean row has, from which on the fullest row is worth a word. */
    private static final int UNEVEN = 20;

    private final String name;
    private final TermSpec spec;
    private final boolean isPairs;
    private final WordCounts words;
    private final Set<String> ofRow = new HashSet<>();
    private long trainRows;
    private long longRows;
    private int most;
    private long allTerms;
    private long rows;
    private int lowest = Integer.MAX_VALUE;
    private int highest = -1;
    private long smallest = Long.MAX_VALUE;

    private TermFit(String name, TermSpec spec, boolean isPairs, WordCounts words) {
        this.name = name;
        this.spec = spec;
        this.isPairs = isPairs;
        this.words = words;
    }

    /** Of a column that the job names. */
    public static TermFit ofTexts(String name, TermSpec spec) {
        return new TermFit(name, spec, false, new WordCounts(MOST_WORDS));
    }

    /** Of a column of pairs of index and value. */
    public static TermFit ofPairs(String name, TermSpec spec) {
        return new TermFit(name, spec, true, new WordCounts(MOST_WORDS));
    }

    /** Of a column that the job names, over rows that were counted elsewhere. */
    public static TermFit of(String name, TermSpec spec, TermCounts counted) {
        TermFit fit = new TermFit(name, spec, false, WordCounts.of(counted));
        fit.trainRows = counted.trainRows();
        fit.longRows = counted.longRows();
        fit.most = counted.most();
        return fit;
    }

    /** What was counted of a column that the job names. */
    public TermCounts counts() {
        return new TermCounts(
                words.rows(), words.words(), trainRows, longRows, most, words.tooLow());
    }

    private boolean isWords() {
        return spec.text().contains(name);
    }

    /** Counts rows of a column. */
    public void add(@Nullable String[] texts, boolean[] isTrain, int rows) {
        for (int row = 0; row < rows; row++) {
            trainRows += isTrain[row] ? 1 : 0;
            add(texts[row], isTrain[row]);
        }
    }

    /** Counts a row to learn from. */
    public void train(@Nullable String text) {
        trainRows++;
        add(text, true);
    }

    /** Makes room for a row to judge by. */
    public void judge(@Nullable String text) {
        add(text, false);
    }

    private void add(@Nullable String text, boolean isTrained) {
        if (text == null) {
            return;
        } else if (isPairs) {
            pairs(text, isTrained);
        } else if (isWords()) {
            ofRow.clear();
            WordTokens.of(text, ofRow::add);
            room(ofRow.size());
            longRows += ofRow.size() > MOST_SLOTS ? 1 : 0;
            if (isTrained && !isHashed()) {
                words.add(ofRow);
            }
        } else {
            room(1);
        }
    }

    private void pairs(String text, boolean isTrain) {
        int[] count = {0};
        PairTexts.each(
                text,
                (index, value) -> {
                    count[0]++;
                    smallest = Math.min(smallest, index);
                    if (isTrain) {
                        lowest = Math.min(lowest, index);
                        highest = Math.max(highest, index);
                    }
                });
        room(count[0]);
    }

    private void room(int terms) {
        rows++;
        allTerms += terms;
        most = Math.max(most, terms);
    }

    /** Slots of a column whose rows have so many terms. */
    public static int room(SparseColumn column, int terms) {
        return column instanceof Pairs ? terms : Math.min(terms, MOST_SLOTS);
    }

    private boolean isHashed() {
        return spec.hashed().contains(name);
    }

    /** The column as it is encoded; null where there is nothing to learn from. */
    public @Nullable SparseColumn column() {
        int slots = isPairs ? most : Math.min(most, MOST_SLOTS);
        if (isPairs) {
            int first = smallest == 0 ? 0 : 1;
            return highest < 0 ? null : new Pairs(name, highest - first + 1, first, slots);
        } else if (isHashed()) {
            return most == 0 ? null : new Hashed(name, spec.hashBits(), isWords(), slots);
        }
        List<String> vocabulary = words.mostFrequent(spec.minFrequency(), spec.vocabulary());
        List<Double> idf =
                vocabulary.stream()
                        .map(word -> Math.log((1.0 + trainRows) / (1.0 + words.rows(word))) + 1)
                        .toList();
        return vocabulary.isEmpty()
                ? null
                : new Words(name, vocabulary, idf, Math.min(slots, vocabulary.size()));
    }

    /** What was found, in a sentence. */
    public String sentence(SparseColumn column) {
        StringBuilder said = new StringBuilder();
        if (column instanceof Words found) {
            said.append(
                    format(
                            "text '%s': %,d of %,d words by TF-IDF, at most %,d in a row",
                            name, found.width(), words.words(), found.slots()));
            if (words.tooLow() > 0) {
                said.append(
                        format(
                                "; there are more than %,d words, whose counts are too low by at"
                                        + " most %,d rows",
                                MOST_WORDS, words.tooLow()));
            }
        } else if (column instanceof Hashed found) {
            said.append(
                    format(
                            "%s '%s': %s hashed to %,d places",
                            found.words() ? "text" : "column",
                            name,
                            found.words() ? "words" : "values",
                            found.width()));
        } else if (column instanceof Pairs found) {
            said.append(
                    format(
                            "%,d features by index, from %d on, at most %,d in a row",
                            found.width(), found.first(), found.slots()));
            if (found.slots() > UNEVEN * Math.max(1, allTerms / Math.max(1, rows))) {
                said.append(
                        format(
                                ", of which the mean has %,d: each takes the room of the fullest,"
                                        + " %,d bytes; leave that one out if it need not be",
                                allTerms / Math.max(1, rows), 2L * Float.BYTES * found.slots()));
            }
        }
        if (longRows > 0) {
            said.append(
                    format(
                            "; %,d rows have more than %,d different words, of which those that"
                                    + " weigh most are kept",
                            longRows, MOST_SLOTS));
        }
        return said.toString();
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
