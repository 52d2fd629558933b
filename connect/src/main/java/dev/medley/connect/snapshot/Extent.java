package dev.medley.connect.snapshot;

/** Says what was staged, and so how it is known which rows are gone. */
public enum Extent {
    /** All rows: one that is not there is gone. */
    ALL,
    /** Changed rows and all keys: a row whose key is not there is gone. */
    CHANGES_AND_KEYS,
    /** Changed rows: one is gone only if it is said to be deleted. */
    CHANGES
}
