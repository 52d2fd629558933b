package dev.medley.connect.table;

import dev.medley.base.Seeds;
import java.util.Arrays;
import java.util.List;

/**
 * Hashes rows to 64 bits. Equal rows have equal hashes wherever they were read: from the source or
 * from a snapshot. A column goes in by its {@link Column#id} and type, a missing value not at all;
 * so neither a new name nor a new column without values changes a hash.
 *
 * <p>The sum of the hashes of all rows, which does not depend on their order, with their number
 * stands for a table: two tables that differ have the same with a chance of 2^-64. It finds loss
 * and damage, not forgery.
 *
 * <p>Thread: one at a time.
 */
public final class RowHash {
    private static final long PRIME = 0x9E3779B185EBCA87L;

    private final long[] seeds;
    private long[] hashes = {};

    /** For rows with these columns. */
    public RowHash(List<Column> columns) {
        seeds = columns.stream().mapToLong(c -> text(c.type().name(), text(c.id(), 1))).toArray();
    }

    /** The hashes of the rows of a batch; the array is used again for the next one. */
    public long[] of(RowBatch batch) {
        int rows = batch.rows();
        if (hashes.length < rows) {
            hashes = new long[rows];
        }
        Arrays.fill(hashes, 0, rows, 0);
        for (int c = 0; c < seeds.length; c++) {
            add(batch.column(c), seeds[c], rows);
        }
        for (int row = 0; row < rows; row++) {
            hashes[row] = Seeds.mix(hashes[row] + PRIME);
        }
        return hashes;
    }

    private void add(ColumnVector vector, long seed, int rows) {
        switch (vector.type()) {
            case BOOLEAN, INTEGER, DATE, DATETIME, INSTANT -> {
                for (int row = 0; row < rows; row++) {
                    hashes[row] +=
                            vector.isMissing(row)
                                    ? 0
                                    : Seeds.mix(vector.longAt(row) * PRIME + seed);
                }
            }
            case REAL -> {
                for (int row = 0; row < rows; row++) {
                    long bits = Double.doubleToLongBits(vector.doubleAt(row));
                    hashes[row] += vector.isMissing(row) ? 0 : Seeds.mix(bits * PRIME + seed);
                }
            }
            case DECIMAL, TEXT -> {
                for (int row = 0; row < rows; row++) {
                    hashes[row] += vector.isMissing(row) ? 0 : text(vector.textAt(row), seed);
                }
            }
            case BYTES -> {
                for (int row = 0; row < rows; row++) {
                    hashes[row] += vector.isMissing(row) ? 0 : bytes(vector.bytesAt(row), seed);
                }
            }
        }
    }

    private static long text(String text, long seed) {
        long hash = seed ^ (text.length() * PRIME);
        for (int i = 0; i < text.length(); i++) {
            hash = Long.rotateLeft((hash ^ text.charAt(i)) * PRIME, 29);
        }
        return Seeds.mix(hash);
    }

    private static long bytes(byte[] bytes, long seed) {
        long hash = seed ^ (bytes.length * PRIME);
        for (byte b : bytes) {
            hash = Long.rotateLeft((hash ^ (b & 0xFF)) * PRIME, 29);
        }
        return Seeds.mix(hash);
    }
}
