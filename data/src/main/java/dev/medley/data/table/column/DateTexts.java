package dev.medley.data.table.column;

import dev.medley.data.table.engine.DuckDb;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes the SQL that reads texts as dates, with or without a time of day. A pattern says how the
 * date is written; a time and an offset from UTC may follow whatever the pattern is. A text in the
 * ISO form is read under every pattern, since no other form can be meant by it.
 */
final class DateTexts {
    /** Year, month and day with hyphens. */
    static final String ISO = "%Y-%m-%d";

    private static final List<String> TIMES =
            List.of(
                    "",
                    " %H:%M",
                    " %H:%M:%S",
                    " %H:%M:%S.%f",
                    " %I:%M %p",
                    " %I:%M:%S %p",
                    "T%H:%M:%S");
    private static final List<String> TIMES_WITH_OFFSET =
            List.of(" %H:%M%z", " %H:%M %z", " %H:%M:%S%z", " %H:%M:%S %z");

    private DateTexts() {}

    /** The seconds since 1970 of a text written in {@code pattern}; NULL where it is not. */
    static String sql(String text, String pattern) {
        String guarded =
                "CASE WHEN %s THEN coalesce(epoch(try_strptime(%s, %s)), epoch(try_strptime(%s, %s))) END"
                        .formatted(
                                isOf(text, pattern),
                                text,
                                formats(pattern, TIMES),
                                text,
                                formats(pattern, TIMES_WITH_OFFSET));
        return "coalesce(%s, %s)".formatted(iso(text), guarded);
    }

    /** The condition that a text begins with a date of digits as {@code pattern} has it. */
    static String isOf(String text, String pattern) {
        return matches(text, shape(pattern));
    }

    /** DuckDB's own cast, which reads offsets and many forms of a time, but years of any length. */
    private static String iso(String text) {
        return ("CASE WHEN %1$s < ':' AND substr(%1$s, 5, 1) = '-'"
                        + " THEN epoch(TRY_CAST(%1$s AS TIMESTAMPTZ)) END")
                .formatted(text);
    }

    private static String formats(String pattern, List<String> times) {
        return times.stream()
                .map(time -> DuckDb.text(pattern + time))
                .collect(Collectors.joining(", ", "[", "]"));
    }

    /** A date's digits: {@code %Y} takes fewer than four, which would read 24 as the year 24. */
    private static String shape(String pattern) {
        return pattern.replace(".", "[.]")
                .replace("%Y", "[0-9]{4}")
                .replace("%y", "[0-9]{2}")
                .replaceAll("%[md]", "[0-9]{1,2}");
    }

    /** The condition that a text begins with a date of digits as {@code shape} has it. */
    static String matches(String text, String shape) {
        return "(%1$s < ':' AND regexp_full_match(%1$s, '%2$s([ T].*)?'))".formatted(text, shape);
    }
}
