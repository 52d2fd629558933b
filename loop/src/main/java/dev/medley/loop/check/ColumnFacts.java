package dev.medley.loop.check;

import dev.medley.base.ConfigException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds facts about a column of the rows that are judged. What nobody asks for may be null or
 * empty.
 *
 * @param nulls rows without a value
 * @param least of numbers; null where there are none
 * @param newestMillis of points in time, since 1970
 * @param values how often each text occurs, for checks of allowed values
 * @param orphans rows whose value is not in another table, by that table and column
 */
public record ColumnFacts(
        long nulls,
        @Nullable Double least,
        @Nullable Double most,
        @Nullable Long newestMillis,
        Map<String, Long> values,
        Map<String, Found> orphans) {
    /** Counts of 0 or more. */
    public ColumnFacts {
        ConfigException.check(nulls >= 0, "%d rows without a value: give 0 or more", nulls);
        values = Map.copyOf(values);
        orphans = Map.copyOf(orphans);
    }

    /**
     * Rows that were found, with one value of them as an example.
     *
     * @param example empty where there is none
     */
    public record Found(long rows, String example) {}

    /** Of a column of which only missing values matter. */
    public static ColumnFacts ofNulls(long nulls) {
        return new ColumnFacts(nulls, null, null, null, Map.of(), Map.of());
    }
}
