package dev.medley.data.table.term;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;

/**
 * Holds what was counted of a column of terms, or of some of its words, over all rows.
 *
 * @param words how many rows have each word; some of those that many rows have, where there are
 *     more
 * @param different words in all
 * @param trainRows rows that were counted
 * @param longRows rows of which not all terms are kept
 * @param most terms of a row
 * @param tooLow by how many rows a count is too low at most
 */
public record TermCounts(
        Map<String, Long> words,
        long different,
        long trainRows,
        long longRows,
        int most,
        long tooLow)
        implements Serializable {
    /** Of no rows. */
    public static final TermCounts NONE = new TermCounts(Map.of(), 0, 0, 0, 0, 0);

    public TermCounts {
        words = Map.copyOf(words);
    }

    /** With what was counted besides: of other words, none of which is among these. */
    public TermCounts with(TermCounts more) {
        Map<String, Long> all = new HashMap<>(words);
        all.putAll(more.words);
        return new TermCounts(
                all,
                different + more.different,
                trainRows + more.trainRows,
                longRows + more.longRows,
                Math.max(most, more.most),
                tooLow + more.tooLow);
    }

    /** Those of the words that most rows have, at most {@code wanted} with {@code least} rows. */
    public TermCounts mostFrequent(int least, int wanted) {
        Map<String, Long> kept = new HashMap<>();
        for (String word : WordCounts.of(this).mostFrequent(least, wanted)) {
            kept.put(word, words.get(word));
        }
        return new TermCounts(kept, different, trainRows, longRows, most, tooLow);
    }
}
