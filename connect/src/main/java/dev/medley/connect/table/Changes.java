package dev.medley.connect.table;

/**
 * Says how much a source can tell of what changed since a position.
 *
 * @param rows whether it can name changed rows
 * @param deletes how it becomes known which rows are gone
 * @param why one sentence for people
 */
public record Changes(Rows rows, Deletes deletes, String why) {
    /** Which rows a view can read. */
    public enum Rows {
        /** All; it cannot tell changed ones from others. */
        ALL,
        /** Those that changed, all of them, and perhaps others. */
        CHANGED
    }

    /** How deletes are found when only changed rows are read. */
    public enum Deletes {
        /** There are none, nor is any row changed: those that are read are new ones. */
        NONE,
        /** They are among the changed rows. */
        AMONG_ROWS,
        /** By reading all keys and comparing. */
        BY_KEYS,
        /** Not at all until all rows are read. */
        UNSEEN
    }

    /** All rows are to be read: then a row that is not there is gone. */
    public static Changes all(String why) {
        return new Changes(Rows.ALL, Deletes.BY_KEYS, why);
    }
}
