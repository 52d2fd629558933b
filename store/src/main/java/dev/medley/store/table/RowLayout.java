package dev.medley.store.table;

import dev.medley.store.encoding.TableEncoding;

/**
 * A stored row: dense features as floats, codes of one-hot and then of embedded columns as ints,
 * the target as an int (class) or a float (value). Native byte order.
 *
 * @param dense how many dense features
 * @param codes how many codes
 */
record RowLayout(int dense, int codes) {
    static RowLayout of(TableEncoding encoding) {
        return new RowLayout(
                encoding.denseCount(), encoding.oneHot().size() + encoding.embedded().size());
    }

    int codesAt() {
        return dense * Float.BYTES;
    }

    int targetAt() {
        return codesAt() + codes * Integer.BYTES;
    }

    int bytes() {
        return targetAt() + Integer.BYTES;
    }
}
