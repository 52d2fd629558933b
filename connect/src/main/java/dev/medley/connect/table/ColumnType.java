package dev.medley.connect.table;

/**
 * Names the kinds of values that a column may have, whatever its source calls them, and how a
 * {@link ColumnVector} holds them.
 */
public enum ColumnType {
    /** True or false: a long, 1 or 0. */
    BOOLEAN,
    /** Whole numbers of up to 64 bits: a long. */
    INTEGER,
    /** Binary floating point numbers: a double. */
    REAL,
    /**
     * Exact decimal numbers of any size: a text without an exponent, as {@link
     * java.math.BigDecimal#toPlainString()} makes it, or {@code NaN}, {@code Infinity}, {@code
     * -Infinity}.
     */
    DECIMAL,
    /** Texts. What has no kind of its own is one, as its source writes it. */
    TEXT,
    /** Days without a time: days since 1970-01-01 (proleptic Gregorian), a long. */
    DATE,
    /** Dates and times without a zone: microseconds since 1970-01-01 00:00, a long. */
    DATETIME,
    /** Moments: microseconds since 1970-01-01 00:00 UTC, a long. */
    INSTANT,
    /** Bytes. */
    BYTES;

    /** The long of a date or time that is later than all others. */
    public static final long INFINITE = Long.MAX_VALUE;

    /** The long of a date or time that is earlier than all others. */
    public static final long MINUS_INFINITE = Long.MIN_VALUE;

    /** Whether values are held as longs. */
    public boolean isLong() {
        return switch (this) {
            case BOOLEAN, INTEGER, DATE, DATETIME, INSTANT -> true;
            case REAL, DECIMAL, TEXT, BYTES -> false;
        };
    }

    /** Whether values are held as texts. */
    public boolean isText() {
        return this == TEXT || this == DECIMAL;
    }
}
