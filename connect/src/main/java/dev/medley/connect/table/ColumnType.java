package dev.medley.connect.table;

/** Names the kinds of values that a column may have, whatever its source calls them. */
public enum ColumnType {
    /** True or false: {@link Boolean}. */
    BOOLEAN,
    /** Whole numbers of up to 64 bits: {@link Long}. */
    INTEGER,
    /** Binary floating point numbers: {@link Double}. */
    REAL,
    /** Exact decimal numbers, of any size: {@link java.math.BigDecimal}. */
    DECIMAL,
    /** Texts: {@link String}. What has no kind of its own is one, as its source writes it. */
    TEXT,
    /** Days without a time: {@link java.time.LocalDate}. */
    DATE,
    /** Dates and times without a zone, in microseconds: {@link java.time.LocalDateTime}. */
    DATETIME,
    /** Moments, in microseconds: {@link java.time.Instant}. */
    INSTANT,
    /** Bytes: {@code byte[]}. */
    BYTES
}
