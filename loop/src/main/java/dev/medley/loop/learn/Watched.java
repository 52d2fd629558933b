package dev.medley.loop.learn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells how the model in production fares.
 *
 * @param columns where each stands, those with most evidence of a change first
 * @param metric on the newest labelled rows; null where it cannot be told
 * @param unfit why it cannot answer rows as they are now; empty where it can
 */
public record Watched(List<ColumnStanding> columns, @Nullable Double metric, String unfit) {
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
