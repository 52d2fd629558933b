package dev.medley.tenant.expression;

import java.util.Locale;

/** Names the kinds of values that expressions compute with. */
public enum ValueType {
    BOOLEAN,
    /** Whole numbers: of 64 bits, and in columns of 128. */
    INTEGER,
    /** Binary floating point numbers. */
    NUMBER,
    TEXT,
    /** Days without a time. */
    DATE,
    /** Dates and times without a zone. */
    DATETIME,
    /** Moments. */
    INSTANT,
    /** Lists of texts, of whole numbers or of numbers. */
    TEXTS,
    INTEGERS,
    NUMBERS,
    /** The missing value, which is only compared. */
    MISSING,
    /** Whatever expressions know nothing of: bytes, structures. Only a missing one is seen. */
    OTHER;

    boolean isNumeric() {
        return this == INTEGER || this == NUMBER;
    }

    boolean hasOrder() {
        return isNumeric() || this == TEXT || this == DATE || this == DATETIME || this == INSTANT;
    }

    /** The type of a list's entries; {@link #OTHER} for what is no list. */
    ValueType entry() {
        return switch (this) {
            case TEXTS -> TEXT;
            case INTEGERS -> INTEGER;
            case NUMBERS -> NUMBER;
            default -> OTHER;
        };
    }

    /** Whether values of both can be compared for being equal. */
    boolean comparesWith(ValueType other) {
        return (isNumeric() && other.isNumeric())
                || (this == other && (hasOrder() || this == BOOLEAN));
    }

    /** As a message calls it. */
    public String words() {
        return switch (this) {
            case BOOLEAN -> "true or false";
            case INTEGER -> "a whole number";
            case NUMBER -> "a number";
            case TEXT -> "a text";
            case DATE -> "a date";
            case DATETIME -> "a date and time";
            case INSTANT -> "a moment";
            case TEXTS -> "a list of texts";
            case INTEGERS -> "a list of whole numbers";
            case NUMBERS -> "a list of numbers";
            case MISSING -> "null";
            case OTHER -> name().toLowerCase(Locale.ROOT) + " (bytes or a structure)";
        };
    }
}
