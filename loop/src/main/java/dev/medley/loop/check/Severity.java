package dev.medley.loop.check;

/** Says what follows where a check does not hold. */
public enum Severity {
    /** It is said, and rows are used. */
    WARN,
    /** Rows are not used. */
    FAIL
}
