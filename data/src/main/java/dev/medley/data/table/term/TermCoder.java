package dev.medley.data.table.term;

import dev.medley.data.encoding.SparseColumn;
import dev.medley.data.encoding.SparseColumn.Hashed;
import dev.medley.data.encoding.SparseColumn.Pairs;
import dev.medley.data.encoding.SparseColumn.Words;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Gives the terms of a column's texts. */
public abstract class TermCoder {
    private final SparseColumn column;
    private int most;

    private TermCoder(SparseColumn column) {
        this.column = column;
    }

    /**
     * A coder of a fitted column.
     *
     * @param key the same for texts that are the same value
     */
    public static TermCoder of(SparseColumn column, UnaryOperator<String> key) {
        if (column instanceof Words words) {
            return new OfWords(words);
        } else if (column instanceof Hashed hashed) {
            return new OfHashes(hashed, key);
        }
        return new OfPairs((Pairs) column);
    }

    /**
     * The values of the features that are not 0, by index; of more than the column has slots those
     * furthest from 0.
     */
    public final SortedMap<Integer, Double> of(@Nullable String text) {
        SortedMap<Integer, Double> terms = all(text);
        most = Math.max(most, terms.size());
        if (terms.size() <= column.slots()) {
            return terms;
        }
        SortedMap<Integer, Double> kept = new TreeMap<>();
        terms.entrySet().stream()
                .sorted(
                        Comparator.comparingDouble(
                                (Map.Entry<Integer, Double> term) -> -Math.abs(term.getValue())))
                .limit(column.slots())
                .forEach(term -> kept.put(term.getKey(), term.getValue()));
        return kept;
    }

    /** Most terms that a text had of which {@link #of} was asked for. */
    public final int most() {
        return most;
    }

    /** How many terms a text has. */
    public final int count(@Nullable String text) {
        return all(text).size();
    }

    abstract SortedMap<Integer, Double> all(@Nullable String text);

    /** Divides by the length of the row; terms of 0 are left out. */
    private static SortedMap<Integer, Double> ofLength1(SortedMap<Integer, Double> terms) {
        terms.values().removeIf(value -> value == 0);
        double squares = 0;
        for (double value : terms.values()) {
            squares += value * value;
        }
        double length = Math.sqrt(squares);
        terms.replaceAll((index, value) -> value / length);
        return terms;
    }

    private static final class OfWords extends TermCoder {
        private final Words words;
        private final Map<String, Integer> places = new HashMap<>();

        OfWords(Words words) {
            super(words);
            this.words = words;
            for (int i = 0; i < words.width(); i++) {
                places.put(words.vocabulary().get(i), i);
            }
        }

        @Override
        SortedMap<Integer, Double> all(@Nullable String text) {
            SortedMap<Integer, Double> terms = new TreeMap<>();
            WordTokens.of(
                    text == null ? "" : text,
                    word -> {
                        Integer place = places.get(word);
                        if (place != null) {
                            terms.merge(place, words.idf().get(place), Double::sum);
                        }
                    });
            return ofLength1(terms);
        }
    }

    private static final class OfHashes extends TermCoder {
        private final Hashed hashed;
        private final UnaryOperator<String> key;

        OfHashes(Hashed hashed, UnaryOperator<String> key) {
            super(hashed);
            this.hashed = hashed;
            this.key = key;
        }

        @Override
        SortedMap<Integer, Double> all(@Nullable String text) {
            SortedMap<Integer, Double> terms = new TreeMap<>();
            if (text != null && hashed.words()) {
                WordTokens.of(text, word -> put(word, terms));
            } else if (text != null) {
                put(key.apply(text), terms);
            }
            return ofLength1(terms);
        }

        private void put(String term, SortedMap<Integer, Double> terms) {
            int hash = Murmur3.of(term);
            int place = (int) (Math.abs((long) hash) % hashed.width());
            terms.merge(place, hash >= 0 ? 1.0 : -1.0, Double::sum);
        }
    }

    private static final class OfPairs extends TermCoder {
        private final Pairs pairs;

        OfPairs(Pairs pairs) {
            super(pairs);
            this.pairs = pairs;
        }

        @Override
        SortedMap<Integer, Double> all(@Nullable String text) {
            SortedMap<Integer, Double> terms = new TreeMap<>();
            PairTexts.each(
                    text,
                    (index, value) -> {
                        long place = index - pairs.first();
                        if (place >= 0 && place < pairs.width() && value != 0) {
                            terms.merge((int) place, value, Double::sum);
                        }
                    });
            return terms;
        }
    }
}
