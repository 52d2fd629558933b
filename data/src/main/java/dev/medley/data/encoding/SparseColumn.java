package dev.medley.data.encoding;

import java.util.List;

/**
 * A column of which each row has few of many features, its terms: words, places of hashes, or pairs
 * of index and value. A missing text has none.
 */
public sealed interface SparseColumn extends ColumnEncoding {
    /** Features in all. */
    int width();

    /** Most terms of a row among those that were encoded. */
    int slots();

    /** The same with room for rows of so many terms. */
    SparseColumn withSlots(int most);

    /** The name of a feature, for people. */
    String feature(int index);

    /**
     * Words of a vocabulary, weighted by TF-IDF: how often a row has the word, times {@code ln((1 +
     * rows) / (1 + rows with it)) + 1}, in rows of length 1, as scikit-learn's TfidfVectorizer has
     * it.
     *
     * @param name of the column
     * @param vocabulary in code point order
     * @param idf of each word
     * @param slots see {@link SparseColumn#slots}
     */
    record Words(String name, List<String> vocabulary, List<Double> idf, int slots)
            implements SparseColumn {
        public Words {
            vocabulary = List.copyOf(vocabulary);
            idf = List.copyOf(idf);
        }

        @Override
        public int width() {
            return vocabulary.size();
        }

        @Override
        public Words withSlots(int most) {
            return new Words(name, vocabulary, idf, most);
        }

        @Override
        public String feature(int index) {
            return name + ": " + vocabulary.get(index);
        }
    }

    /**
     * Values, or words, at the place that their hash says, with its sign (Weinberger et al. 2009).
     * Words are counted, in rows of length 1, as scikit-learn's HashingVectorizer has it.
     *
     * @param name of the column
     * @param bits the width is two to the power of it
     * @param words whether words are hashed, and not the whole value
     * @param slots see {@link SparseColumn#slots}
     */
    record Hashed(String name, int bits, boolean words, int slots) implements SparseColumn {
        @Override
        public int width() {
            return 1 << bits;
        }

        @Override
        public Hashed withSlots(int most) {
            return new Hashed(name, bits, words, most);
        }

        @Override
        public String feature(int index) {
            return name + " hash " + index;
        }
    }

    /**
     * Pairs of index and value, as LIBSVM files have them. What lies beyond the width is passed
     * over.
     *
     * @param name of the column
     * @param width indices that training has seen
     * @param first the lowest index, 0 or 1
     * @param slots see {@link SparseColumn#slots}
     */
    record Pairs(String name, int width, int first, int slots) implements SparseColumn {
        @Override
        public Pairs withSlots(int most) {
            return new Pairs(name, width, first, most);
        }

        @Override
        public String feature(int index) {
            return Integer.toString(first + index);
        }
    }
}
