package dev.medley.connect.back;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a row that a destination did not take.
 *
 * @param columns to which the values belong
 * @param attempts how often it was sent
 * @param atMillis when it was sent last
 */
public record DeadLetter(
        String key,
        List<String> columns,
        List<@Nullable String> values,
        String code,
        String reason,
        int attempts,
        long atMillis) {
    BackRow row() {
        return new BackRow(key, values);
    }
}
