package dev.medley.data.table.term;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts in how many rows each word stands. Counts are exact as long as there are no more different
 * words than {@code most}; beyond, words that few rows have had are forgotten, and no count is too
 * low by more than {@link #tooLow} (lossy counting: Manku and Motwani, VLDB 2002).
 */
final class WordCounts {
    private static final double KEPT = 0.75;

    /** How often a word was counted, and how often it may have been before. */
    private static final class Count {
        private final long before;
        private long rows;

        Count(long before) {
            this.before = before;
        }
    }

    private final int most;
    private final Map<String, Count> counts = new HashMap<>();
    private long tooLow;

    /** Words that were counted and are not here. */
    private long others;

    WordCounts(int most) {
        this.most = most;
    }

    /** Those of rows that were counted elsewhere. */
    static WordCounts of(TermCounts counted) {
        WordCounts all = new WordCounts(Integer.MAX_VALUE);
        counted.words()
                .forEach(
                        (word, rows) -> {
                            Count count = new Count(0);
                            count.rows = rows;
                            all.counts.put(word, count);
                        });
        all.tooLow = counted.tooLow();
        all.others = counted.different() - counted.words().size();
        return all;
    }

    /** Rows that had each word. */
    Map<String, Long> rows() {
        Map<String, Long> rows = new HashMap<>();
        counts.forEach((word, count) -> rows.put(word, count.rows));
        return rows;
    }

    /** Counts the different words of a row. */
    void add(Collection<String> words) {
        for (String word : words) {
            counts.computeIfAbsent(word, w -> new Count(tooLow)).rows++;
        }
        if (counts.size() > most) {
            while (counts.size() > KEPT * most) {
                tooLow++;
                counts.values().removeIf(count -> count.rows + count.before <= tooLow);
            }
        }
    }

    /** By how many rows a count is too low at most. */
    long tooLow() {
        return tooLow;
    }

    /** Rows that had a word. */
    long rows(String word) {
        Count count = counts.get(word);
        return count == null ? 0 : count.rows;
    }

    /** Different words. */
    long words() {
        return counts.size() + others;
    }

    /**
     * The words that most rows have, in code point order; of words of as many rows the first.
     *
     * @param least rows that a word has to have
     * @param wanted how many words at most
     */
    List<String> mostFrequent(long least, int wanted) {
        Comparator<String> byCodePoint =
                (a, b) -> Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray());
        return counts.keySet().stream()
                .filter(word -> rows(word) >= least)
                .sorted(Comparator.comparingLong((String w) -> -rows(w)).thenComparing(byCodePoint))
                .limit(wanted)
                .sorted(byCodePoint)
                .toList();
    }
}
