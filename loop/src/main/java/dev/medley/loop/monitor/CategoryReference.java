package dev.medley.loop.monitor;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts a column's reference rows by bucket of their category. The bucket of a text is fixed
 * before anything is seen, so that memory is bounded and ranks stay exact; two categories that
 * share one cannot be told apart, which is one in 16,384 pairs.
 *
 * @param counts by bucket, above 0
 */
public record CategoryReference(Map<Integer, Long> counts, long missing) {
    static final int BUCKETS = 1 << 14;

    /** At least one row with a category. */
    public CategoryReference {
        counts = Map.copyOf(counts);
        ConfigException.check(
                !counts.isEmpty(),
                "the reference has no categories (%d rows, all missing): watch its share of missing"
                        + " values alone",
                missing);
    }

    /** The reference of a column of which all rows are given; null is a missing value. */
    public static CategoryReference of(Collection<? extends @Nullable String> values) {
        Map<Integer, Long> counts = new TreeMap<>();
        long missing = 0;
        for (String value : values) {
            if (value == null) {
                missing++;
            } else {
                counts.merge(bucket(value), 1L, Long::sum);
            }
        }
        return new CategoryReference(counts, missing);
    }

    /** How many rows have a category. */
    public long size() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The bucket of a text, the same on every machine. */
    public static int bucket(String text) {
        long hash = 0;
        for (int i = 0; i < text.length(); i++) {
            hash = Seeds.mix(hash * 31 + text.charAt(i));
        }
        return (int) (hash >>> 50);
    }
}
