package dev.medley.connect.back;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries one row on its way: values are texts in the order of {@link BackTable#columns}; null
 * takes a value away.
 */
public record BackRow(String key, List<@Nullable String> values) {
    /** Copies the values. */
    public BackRow {
        values = Collections.unmodifiableList(new ArrayList<>(values));
    }
}
