package dev.medley.connect.snapshot;

import java.util.List;

/**
 * Describes one version of a table.
 *
 * @param number from 1 on
 * @param knownAtMicros a time at which its rows could already be read here, in microseconds since
 *     1970; later than that of the version before
 * @param schema number of the {@link SchemaVersion} of its parts
 * @param isWhole whether it has all rows, so that versions before it count no more
 * @param rows of the table at this version
 * @param rowsChecksum {@link dev.medley.connect.table.RowHash} sum of them, in hexadecimal digits
 */
public record SnapshotVersion(
        long number,
        long knownAtMicros,
        int schema,
        boolean isWhole,
        List<SnapshotPart> parts,
        long rows,
        String rowsChecksum) {
    public SnapshotVersion {
        parts = List.copyOf(parts);
    }

    SnapshotVersion knownAt(long micros) {
        return new SnapshotVersion(number, micros, schema, isWhole, parts, rows, rowsChecksum);
    }

    SnapshotVersion with(List<SnapshotPart> other) {
        return new SnapshotVersion(
                number, knownAtMicros, schema, isWhole, other, rows, rowsChecksum);
    }
}
