package dev.medley.loop.feature;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds a row of a source as it was from some time on.
 *
 * @param source which one
 * @param values by column; null where one is missing. Whole numbers are Long, binary floating point
 *     Double, days LocalDate, times LocalDateTime without and Instant with a zone, bytes byte[];
 *     texts and decimals are String
 * @param knownAt since when it was known here; null in rows that were there before anybody looked
 * @param isDeleted whether from then on there was no such row; then only its key has values
 */
public record HistoryRow(
        String source,
        Map<String, @Nullable Object> values,
        @Nullable Instant knownAt,
        boolean isDeleted) {
    public HistoryRow {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * A column's value, or null.
     *
     * @throws ConfigException if there is no such column
     */
    public @Nullable Object value(String column) {
        if (!values.containsKey(column)) {
            throw new ConfigException(
                    "%s has no column '%s'; %sthere are %s"
                            .formatted(
                                    source,
                                    column,
                                    DidYouMean.of(column, values.keySet())
                                            .map("did you mean %s? "::formatted)
                                            .orElse(""),
                                    String.join(", ", values.keySet())));
        }
        return values.get(column);
    }

    /** A value as text; null where it is missing. */
    public @Nullable String text(String column) {
        Object value = value(column);
        return value == null ? null : value.toString();
    }

    /** A number; null where it is missing. A decimal is rounded to the next double. */
    public @Nullable Double number(String column) {
        Object value = value(column);
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        try {
            return value == null ? null : Double.valueOf(value.toString());
        } catch (NumberFormatException e) {
            throw wrong(column, value, "number");
        }
    }

    /** A whole number; null where it is missing. */
    public @Nullable Long whole(String column) {
        Object value = value(column);
        if (value == null || value instanceof Long) {
            return (Long) value;
        }
        throw wrong(column, value, "whole number");
    }

    /** A day or a time, in UTC where it says no zone; null where it is missing. */
    public @Nullable Instant time(String column) {
        Object value = value(column);
        if (value instanceof LocalDate day) {
            return day.atStartOfDay().toInstant(ZoneOffset.UTC);
        } else if (value instanceof LocalDateTime time) {
            return time.toInstant(ZoneOffset.UTC);
        } else if (value == null || value instanceof Instant) {
            return (Instant) value;
        }
        throw wrong(column, value, "time");
    }

    private ConfigException wrong(String column, @Nullable Object value, String wanted) {
        return new ConfigException(
                "%s.%s is '%s', which is no %s".formatted(source, column, value, wanted));
    }
}
