package dev.medley.tensor.factor;

import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * Holds copies of some rows of a side, which are asked for by their codes. Cost of a read: the
 * logarithm of how many there are.
 */
public final class FetchedRows implements PartnerRows {
    private final int[] codes;
    private final int stride;
    private final float[] values;

    /** Room for the rows of these codes, ascending and different, of so many numbers each. */
    public FetchedRows(int[] codes, int stride) {
        this.codes = codes;
        this.stride = stride;
        values = new float[Math.multiplyExact(codes.length, stride)];
    }

    /** Codes of the rows, ascending. */
    public int[] codes() {
        return codes;
    }

    /** Takes the values of so many rows from the row at {@code place} on. */
    public void take(int place, int rows, FloatBuffer from) {
        from.get(values, place * stride, rows * stride);
    }

    /** Sets the row at a place. */
    public void put(int place, float[] row) {
        System.arraycopy(row, 0, values, place * stride, stride);
    }

    /** Place of the first code that is not below {@code code}. */
    public int place(int code) {
        int found = Arrays.binarySearch(codes, code);
        return found < 0 ? -found - 1 : found;
    }

    /** Bytes of values and codes. */
    public long bytes() {
        return (long) Float.BYTES * values.length + (long) Integer.BYTES * codes.length;
    }

    @Override
    public void read(int code, float[] into) {
        int place = Arrays.binarySearch(codes, code);
        if (place < 0) {
            throw new IllegalStateException("row " + code + " was not fetched");
        }
        System.arraycopy(values, place * stride, into, 0, stride);
    }
}
