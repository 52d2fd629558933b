package dev.medley.loop.learn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells how the model in production fares.
 *
 * @param columns where each stands, those with most evidence of a change first
 * @param metric on the newest labelled rows; null where it cannot be told
 */
public record Watched(List<ColumnStanding> columns, @Nullable Double metric) {
    public Watched {
        columns = List.copyOf(columns);
    }

    /** Columns whose values have surely changed since it was trained. */
    public List<String> drifted() {
        return columns.stream()
                .filter(column -> column.standing().isAlarm())
                .map(ColumnStanding::column)
                .toList();
    }
}
