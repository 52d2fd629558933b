package dev.medley.loop.column;

import dev.medley.base.ConfigException;
import dev.medley.loop.monitor.CategoryReference;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds what is known of a column of categories. Counts of texts are bounded by Misra and Gries's
 * rule, whose parts can be put together (Agarwal et al., Mergeable Summaries, 2012): each is at
 * most {@code missed} too low, and that is at most a {@code limit + 1}-th of the rows. Up to {@code
 * limit} categories they are exact. Counts by bucket are exact always.
 *
 * @param count rows with a value
 * @param missing rows without one
 * @param limit the most texts that are kept
 * @param top count by text
 * @param missed how much too low a count may be
 * @param buckets count by bucket, for monitors
 */
public record CategoryProfile(
        long count,
        long missing,
        int limit,
        Map<String, Long> top,
        long missed,
        Map<Integer, Long> buckets) {
    /** Texts that are kept. */
    public static final int USUAL_LIMIT = 200;

    /** Not more texts than the limit. */
    public CategoryProfile {
        top = Map.copyOf(top);
        buckets = Map.copyOf(buckets);
        ConfigException.check(
                limit >= 1 && top.size() <= limit,
                "%d categories where at most %d are kept: the numbers do not fit",
                top.size(),
                limit);
    }

    /** Of rows of a column; null is a missing value. */
    public static CategoryProfile of(Collection<? extends @Nullable String> rows, int limit) {
        Map<String, Long> counts = new LinkedHashMap<>();
        Map<Integer, Long> buckets = new TreeMap<>();
        long missing = 0;
        for (String row : rows) {
            if (row == null) {
                missing++;
            } else {
                counts.merge(row, 1L, Long::sum);
                buckets.merge(CategoryReference.bucket(row), 1L, Long::sum);
            }
        }
        return kept(rows.size() - missing, missing, limit, counts, 0, buckets);
    }

    /** Of no rows: where putting together begins. */
    public static CategoryProfile none(int limit) {
        return new CategoryProfile(0, 0, limit, Map.of(), 0, Map.of());
    }

    /** Of both parts' rows. */
    public CategoryProfile merge(CategoryProfile other) {
        ConfigException.check(
                limit == other.limit,
                "profiles of at most %d and %d categories cannot be put together: take one limit",
                limit,
                other.limit);
        Map<String, Long> counts = new LinkedHashMap<>(top);
        other.top.forEach((text, rows) -> counts.merge(text, rows, Long::sum));
        Map<Integer, Long> both = new TreeMap<>(buckets);
        other.buckets.forEach((bucket, rows) -> both.merge(bucket, rows, Long::sum));
        return kept(
                count + other.count,
                missing + other.missing,
                limit,
                counts,
                missed + other.missed,
                both);
    }

    /** Takes the count of the first that has no room from all, and leaves out who has none left. */
    private static CategoryProfile kept(
            long count,
            long missing,
            int limit,
            Map<String, Long> counts,
            long missed,
            Map<Integer, Long> buckets) {
        if (counts.size() <= limit) {
            return new CategoryProfile(count, missing, limit, counts, missed, buckets);
        }
        List<Long> descending = counts.values().stream().sorted(Comparator.reverseOrder()).toList();
        long taken = descending.get(limit);
        Map<String, Long> left = new LinkedHashMap<>();
        counts.forEach(
                (text, rows) -> {
                    if (rows > taken) {
                        left.put(text, rows - taken);
                    }
                });
        return new CategoryProfile(count, missing, limit, left, missed + taken, buckets);
    }

    /** What a monitor compares with. */
    public CategoryReference reference() {
        return new CategoryReference(buckets, missing);
    }
}
