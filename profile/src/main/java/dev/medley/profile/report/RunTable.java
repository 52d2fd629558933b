package dev.medley.profile.report;

import dev.medley.base.ConfigException;
import dev.medley.profile.TextTable;
import dev.medley.profile.TextTable.Align;
import dev.medley.profile.Units;
import dev.medley.profile.record.RunFolder;
import dev.medley.profile.record.RunRecord;
import dev.medley.profile.record.RunState;
import dev.medley.profile.record.RunSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** All runs of a folder at a glance. */
public final class RunTable {
    private RunTable() {}

    /**
     * One run.
     *
     * @param run name of its folder
     * @param state how it stands; null where its record is unreadable
     * @param startedMillis when it began
     * @param steps applied
     * @param metric name of the metric that decides; null before the first evaluation
     * @param best its best value; null before the first evaluation
     * @param samplesPerSecond of training
     * @param durationMillis from its beginning to its end
     * @param message how it ended, or why it is unreadable
     */
    public record Row(
            String run,
            @Nullable RunState state,
            long startedMillis,
            long steps,
            @Nullable String metric,
            @Nullable Double best,
            double samplesPerSecond,
            long durationMillis,
            String message) {}

    /** A row for each run, in the given order. A run whose record is unreadable has a row too. */
    public static List<Row> rows(List<RunFolder> runs) {
        List<Row> rows = new ArrayList<>();
        for (RunFolder run : runs) {
            rows.add(row(run));
        }
        return rows;
    }

    /** The table in plain text; a sentence where there are no runs. */
    public static String text(List<Row> rows) {
        if (rows.isEmpty()) {
            return "No runs yet. `medley train JOB.yaml` makes one.\n";
        }
        TextTable table =
                new TextTable()
                        .column("run", Align.LEFT)
                        .column("state", Align.LEFT)
                        .column("steps", Align.RIGHT)
                        .column("best", Align.LEFT)
                        .column("samples/s", Align.RIGHT)
                        .column("duration", Align.RIGHT);
        for (Row row : rows) {
            String best = row.best() == null ? "" : row.metric() + " " + Units.metric(row.best());
            table.row(
                    List.of(
                            row.run(),
                            row.state() == null ? "unreadable" : word(row.state()),
                            Units.count(row.steps()),
                            best,
                            row.samplesPerSecond() == 0
                                    ? ""
                                    : Units.count(Math.round(row.samplesPerSecond())),
                            row.state() == null ? "" : Units.duration(row.durationMillis() * 1e6)));
        }
        return table.text();
    }

    private static Row row(RunFolder run) {
        try {
            RunSummary summary = RunRecord.summary(run);
            RunSummary.Best best = summary.best();
            return new Row(
                    run.name(),
                    summary.state(),
                    summary.startedMillis(),
                    summary.steps(),
                    best == null ? null : best.metric().name(),
                    best == null ? null : best.metric().value(),
                    summary.samplesPerSecond(),
                    summary.durationMillis(),
                    summary.message());
        } catch (ConfigException e) {
            return new Row(
                    run.name(), null, 0, 0, null, null, 0, 0, String.valueOf(e.getMessage()));
        }
    }

    static String word(RunState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }
}
