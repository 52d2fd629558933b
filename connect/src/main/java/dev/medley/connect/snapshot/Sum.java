package dev.medley.connect.snapshot;

import java.util.HexFormat;

/**
 * Counts rows and sums their {@linkplain dev.medley.connect.table.RowHash hashes}, in any order.
 * Equal ones stand for equal tables.
 */
public record Sum(long rows, long hashes) {
    /** Of nothing. */
    public static final Sum NONE = new Sum(0, 0);

    /** What the manifest says of a version. */
    public static Sum of(SnapshotVersion version) {
        return new Sum(version.rows(), HexFormat.fromHexDigitsToLong(version.rowsChecksum()));
    }

    /** Of the rows of both. */
    public Sum plus(Sum other) {
        return new Sum(rows + other.rows, hashes + other.hashes);
    }

    /** Of these rows without those of the other. */
    public Sum minus(Sum other) {
        return new Sum(rows - other.rows, hashes - other.hashes);
    }

    /** The checksum in 16 digits. */
    public String hex() {
        return HexFormat.of().toHexDigits(hashes);
    }

    @Override
    public String toString() {
        return "%d rows with checksum %s".formatted(rows, hex());
    }
}
