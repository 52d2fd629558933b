package dev.medley.loop.watch;

import dev.medley.loop.damage.ColumnDamage;
import dev.medley.loop.monitor.Standing;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells where one column stands.
 *
 * @param standing of its monitor, which alone decides whether it has changed
 * @param statistics of one look, for information; null where there are no values to compare
 * @param damage what the change costs by estimate; null where nothing is known of losses
 */
public record ColumnStanding(
        String column,
        Standing standing,
        @Nullable ColumnStatistics statistics,
        @Nullable ColumnDamage damage) {
    /**
     * Changed ones first, and of them those that surely cost most; behind them by the evidence of a
     * change.
     */
    static List<ColumnStanding> ranked(List<ColumnStanding> columns) {
        return columns.stream()
                .sorted(
                        Comparator.comparing((ColumnStanding c) -> !c.standing().isAlarm())
                                .thenComparing(c -> c.standing().isAlarm() ? -c.certain() : 0)
                                .thenComparing(c -> -c.standing().evidence()))
                .toList();
    }

    /** The same under another name. */
    ColumnStanding called(String name) {
        return new ColumnStanding(name, standing, statistics, damage);
    }

    /** What it costs at least; one of which nothing is known comes after what costs. */
    private double certain() {
        return damage == null ? 0 : damage.certain();
    }

    /** What has changed, by how much, and what it costs. */
    public String words() {
        String words = column + ": " + standing.why();
        if (damage == null) {
            return words;
        }
        return words + "; " + (damage.certain() > 0 ? damage.why() : "it costs nothing for sure");
    }
}
