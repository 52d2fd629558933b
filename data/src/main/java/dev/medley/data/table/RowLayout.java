package dev.medley.data.table;

import dev.medley.data.encoding.TableEncoding;

/**
 * The layout of a stored row, in native byte order. It has dense features as floats, codes of
 * one-hot and then of embedded columns as ints, terms as an int (index) and a float (value) each,
 * the target as an int (class) or a float (value), the weight as a float where rows have one, and,
 * where rows are ranked, whether one begins a group, as a float.
 *
 * @param dense how many dense features
 * @param codes how many codes
 * @param terms how many terms there is room for
 * @param weights how many weights, 0 or 1
 * @param groups how many beginnings of groups, 0 or 1
 */
record RowLayout(int dense, int codes, int terms, int weights, int groups) {
    static final int TERM_BYTES = Integer.BYTES + Float.BYTES;

    static RowLayout of(TableEncoding encoding) {
        return new RowLayout(
                encoding.denseCount(),
                encoding.oneHot().size() + encoding.embedded().size(),
                encoding.slots(),
                encoding.weight() == null ? 0 : 1,
                encoding.label().group() == null ? 0 : 1);
    }

    int codesAt() {
        return dense * Float.BYTES;
    }

    int termsAt() {
        return codesAt() + codes * Integer.BYTES;
    }

    int targetAt() {
        return termsAt() + terms * TERM_BYTES;
    }

    int weightAt() {
        return targetAt() + Integer.BYTES;
    }

    int groupAt() {
        return weightAt() + weights * Float.BYTES;
    }

    int bytes() {
        return groupAt() + groups * Float.BYTES;
    }
}
