package dev.medley.loop.spec;

import dev.medley.base.ConfigException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says what is learnt from.
 *
 * @param sql a query over the sources: a row a thing that happened
 * @param key columns that tell rows apart
 * @param at the column with each row's time
 * @param label the column to learn, which is null in rows whose label has not come yet; null where
 *     nothing is to be learnt, as of segments
 * @param delay how long after its time a row's label is known
 */
public record RowsSpec(
        String sql, List<String> key, String at, @Nullable String label, Duration delay) {
    public RowsSpec {
        key = List.copyOf(key);
        if (key.isEmpty()) {
            throw new ConfigException("rows.key is empty: name the columns that tell rows apart");
        }
        if (label != null && (key.contains(label) || label.equals(at))) {
            throw new ConfigException(
                    "rows.label: '%s' is the key or the time, and no thing to learn"
                            .formatted(label));
        }
    }
}
