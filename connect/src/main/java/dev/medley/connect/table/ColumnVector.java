package dev.medley.connect.table;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Holds the values of one column for the rows of a {@link RowBatch}, numbers in arrays of numbers.
 * A value that was not set since the last {@link #clear} is missing.
 *
 * <p>Thread: one at a time.
 */
public final class ColumnVector {
    private static final long[] NO_LONGS = {};
    private static final double[] NO_DOUBLES = {};
    private static final String[] NO_TEXTS = {};
    private static final byte[][] NO_BYTES = {};

    private final ColumnType type;
    private final boolean[] isSet;
    private final long[] longs;
    private final double[] doubles;
    private final @Nullable String[] texts;
    private final byte[] @Nullable [] bytes;

    ColumnVector(ColumnType type, int capacity) {
        this.type = type;
        this.isSet = new boolean[capacity];
        this.longs = type.isLong() ? new long[capacity] : NO_LONGS;
        this.doubles = type == ColumnType.REAL ? new double[capacity] : NO_DOUBLES;
        this.texts = type.isText() ? new String[capacity] : NO_TEXTS;
        this.bytes = type == ColumnType.BYTES ? new byte[capacity][] : NO_BYTES;
    }

    /** The kind of its values. */
    public ColumnType type() {
        return type;
    }

    /** Whether a row has no value here. */
    public boolean isMissing(int row) {
        return !isSet[row];
    }

    /** Takes the value of a row away. */
    public void setMissing(int row) {
        isSet[row] = false;
    }

    /** Sets a BOOLEAN, INTEGER, DATE, DATETIME or INSTANT. */
    public void setLong(int row, long value) {
        longs[row] = value;
        isSet[row] = true;
    }

    /** Sets a REAL. */
    public void setDouble(int row, double value) {
        doubles[row] = value;
        isSet[row] = true;
    }

    /** Sets a TEXT or DECIMAL. */
    public void setText(int row, String value) {
        texts[row] = value;
        isSet[row] = true;
    }

    /** Sets BYTES, which are not copied. */
    public void setBytes(int row, byte[] value) {
        bytes[row] = value;
        isSet[row] = true;
    }

    /** A BOOLEAN, INTEGER, DATE, DATETIME or INSTANT that is there. */
    public long longAt(int row) {
        return longs[row];
    }

    /** A REAL that is there. */
    public double doubleAt(int row) {
        return doubles[row];
    }

    /** A TEXT or DECIMAL that is there. */
    public String textAt(int row) {
        String text = texts[row];
        if (text == null || !isSet[row]) {
            throw new IllegalStateException("row " + row + " has no text here");
        }
        return text;
    }

    /** BYTES that are there. */
    public byte[] bytesAt(int row) {
        byte[] value = bytes[row];
        if (value == null || !isSet[row]) {
            throw new IllegalStateException("row " + row + " has no bytes here");
        }
        return value;
    }

    /** Copies one value of a vector of the same type, or that it is missing. */
    public void copy(int row, ColumnVector from, int fromRow) {
        isSet[row] = from.isSet[fromRow];
        if (isSet[row]) {
            switch (type) {
                case REAL -> doubles[row] = from.doubles[fromRow];
                case TEXT, DECIMAL -> texts[row] = from.texts[fromRow];
                case BYTES -> bytes[row] = from.bytes[fromRow];
                case BOOLEAN, INTEGER, DATE, DATETIME, INSTANT -> longs[row] = from.longs[fromRow];
            }
        }
    }

    void clear() {
        Arrays.fill(isSet, false);
    }
}
