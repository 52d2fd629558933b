package dev.medley.tenant.policy;

/** Says what stands in place of a value that is not to be seen. */
public sealed interface ColumnMask {
    /** Nothing. */
    record Empty() implements ColumnMask {}

    /** 64 hexadecimal digits that are equal where values of one tenant are; HMAC-SHA-256. */
    record Hashed() implements ColumnMask {}

    /** The same text in all rows. */
    record Constant(String text) implements ColumnMask {}

    /** The last characters of the value; of one that has no more, none. */
    record Last(int characters) implements ColumnMask {}

    /** The number rounded to digits behind the point, or before it where they are negative. */
    record Rounded(int digits) implements ColumnMask {}

    /** The column is not there at all. */
    record Dropped() implements ColumnMask {}
}
