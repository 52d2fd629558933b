package dev.medley.loop.learn;

import dev.medley.loop.decide.MeasuredFigure;
import dev.medley.loop.watch.ColumnStanding;
import dev.medley.loop.watch.ExpectedFigure;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells how the model in production fares.
 *
 * @param version of it
 * @param arrived rows that came with this run
 * @param since rows that have come since it was trained
 * @param columns where each stands; changed ones that cost most first
 * @param answers where the model's answers for these rows stand; null where they are not watched
 * @param expected the metric that the newest rows let expect, without their labels; null where it
 *     cannot be told
 * @param measured the metric on the newest labelled rows; null where there are none
 * @param unfit why it cannot answer rows as they are now; empty where it can
 */
public record Watched(
        int version,
        long arrived,
        long since,
        List<ColumnStanding> columns,
        @Nullable ColumnStanding answers,
        @Nullable ExpectedFigure expected,
        @Nullable MeasuredFigure measured,
        String unfit) {
    /** What the model's answers are called among columns. */
    public static final String ANSWERS = "its answers";

    public Watched {
        columns = List.copyOf(columns);
    }

    /** The metric on the newest labelled rows; null where it cannot be told. */
    @Nullable Double metric() {
        return measured == null ? null : measured.figure();
    }

    /** All that is watched: the columns, and the answers behind them. */
    public List<ColumnStanding> all() {
        return Stream.concat(columns.stream(), Stream.ofNullable(answers)).toList();
    }

    /** Columns whose values have surely changed since it was trained, and its answers if they. */
    public List<String> drifted() {
        return all().stream()
                .filter(column -> column.standing().isAlarm())
                .map(ColumnStanding::column)
                .toList();
    }
}
