package dev.medley.connect.snapshot;

/**
 * Tells how staged rows differ from the current ones.
 *
 * @param added rows with a new key; all rows where the table is replaced whole
 * @param changed rows with a known key and other values
 * @param gone rows that the table has no more
 * @param missed keys that the source has, though neither the snapshot nor the changes do: the
 *     changes were not all of them, unless those rows are left out
 * @param without keys that the source has and the snapshot had not before the sync, those of staged
 *     rows that are left out among them and those of new rows not
 * @param leftOut keys that the source has and the snapshot has not after the sync; both where all
 *     keys were read
 * @param isWhole whether the staged rows replace all others
 * @param after the table with the difference
 */
public record Difference(
        long added,
        long changed,
        long gone,
        Sum missed,
        Sum without,
        Sum leftOut,
        boolean isWhole,
        Sum after) {
    static Difference whole(Sum all, Extent extent) {
        if (extent != Extent.ALL) {
            throw new IllegalStateException(
                    "a table without key or with a new one is replaced by all of its rows");
        }
        return new Difference(all.rows(), 0, 0, Sum.NONE, Sum.NONE, Sum.NONE, true, all);
    }

    static Difference none(Sum all) {
        return new Difference(0, 0, 0, Sum.NONE, Sum.NONE, Sum.NONE, false, all);
    }

    /** Whether the current rows stay as they are. */
    public boolean isNothing() {
        return added + changed + gone == 0 && !isWhole;
    }

    long partRows() {
        return added + changed + gone;
    }
}
