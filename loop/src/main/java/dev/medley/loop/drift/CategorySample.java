package dev.medley.loop.drift;

import dev.medley.base.ConfigException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Holds how often each category occurs in a sample. Missing values are no category: they are
 * counted by themselves.
 */
public record CategorySample(Map<String, Long> counts, long missing) {
    /** Categories with a count above 0. */
    public CategorySample {
        counts = Map.copyOf(counts);
        counts.forEach(
                (label, count) ->
                        ConfigException.check(
                                count > 0,
                                "category %s has a count of %d: leave out what does not occur",
                                label,
                                count));
    }

    /** The values of a column; null is a missing one. */
    public static CategorySample of(Collection<? extends @Nullable String> values) {
        Map<String, Long> counts = new LinkedHashMap<>();
        long missing = 0;
        for (String value : values) {
            if (value == null) {
                missing++;
            } else {
                counts.merge(value, 1L, Long::sum);
            }
        }
        return new CategorySample(counts, missing);
    }

    /** How many values were not missing. */
    public long size() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The categories of two samples in order, as the places of counts. */
    public static List<String> labels(CategorySample one, CategorySample other) {
        SortedSet<String> labels = new TreeSet<>(one.counts.keySet());
        labels.addAll(other.counts.keySet());
        return List.copyOf(labels);
    }

    /** The count of each of {@code labels}, 0 for those that do not occur. */
    public long[] counts(List<String> labels) {
        return labels.stream().mapToLong(label -> counts.getOrDefault(label, 0L)).toArray();
    }
}
