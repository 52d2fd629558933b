package dev.medley.cli.loop;

import dev.medley.base.text.TextTable;
import dev.medley.base.text.TextTable.Align;
import dev.medley.loop.damage.ColumnDamage;
import dev.medley.loop.learn.Watched;
import dev.medley.loop.monitor.Standing;
import dev.medley.loop.watch.ColumnStanding;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Tells where the columns and the answers of a model stand, for people. */
final class WatchWords {
    private static final double LEAST_SHOWN = 0.001;

    private WatchWords() {}

    /** A table, changed ones that cost most first; what is of one look says so. */
    static String table(Watched watched) {
        if (watched.all().isEmpty()) {
            return "  no rows to compare have arrived";
        }
        TextTable table =
                new TextTable()
                        .column("Column", Align.LEFT)
                        .column("Changed", Align.LEFT)
                        .column("Evidence", Align.RIGHT)
                        .column("Growth of loss", Align.RIGHT)
                        .column("At one look, for information", Align.LEFT);
        for (ColumnStanding column : watched.all()) {
            Standing standing = column.standing();
            table.row(
                    List.of(
                            column.column(),
                            standing.isAlarm() ? "window " + standing.alarmedAt() : "no",
                            evidence(standing),
                            damage(column.damage()),
                            column.statistics() == null ? "" : column.statistics().words()));
        }
        return table.text().lines().map(line -> "  " + line).collect(Collectors.joining("\n"));
    }

    /** An alarm takes 1. */
    private static String evidence(Standing standing) {
        return standing.evidence() >= 1
                ? "1"
                : standing.evidence() < LEAST_SHOWN
                        ? "0"
                        : String.format(Locale.ROOT, "%.3f", standing.evidence());
    }

    private static String damage(@Nullable ColumnDamage damage) {
        return damage == null
                ? ""
                : String.format(Locale.ROOT, "%+.4f (+-%.4f)", damage.damage(), 2 * damage.error());
    }
}
