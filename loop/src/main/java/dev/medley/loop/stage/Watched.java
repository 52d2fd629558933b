package dev.medley.loop.stage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells how the model in production fares.
 *
 * @param drifted columns whose values have surely changed since it was trained, the one that costs
 *     most first
 * @param metric on the newest labelled rows; null where it cannot be told
 */
public record Watched(List<String> drifted, @Nullable Double metric) {
    public Watched {
        drifted = List.copyOf(drifted);
    }
}
