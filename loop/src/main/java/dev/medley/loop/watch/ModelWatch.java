package dev.medley.loop.watch;

import dev.medley.loop.damage.ColumnDamage;
import dev.medley.loop.decide.JudgedMetric;
import dev.medley.loop.monitor.MonitorOptions;
import dev.medley.loop.monitor.Promise;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches rows that arrive, and a model's answers for them, against what the model learnt from.
 * Each row is looked at once, in the window of the run that saw it first; what is kept between runs
 * does not grow with the rows. At most the asked share of loops in which nothing changes ever sees
 * an alarm, all columns and the answers together.
 *
 * @param version of the model
 * @param rows that have arrived since it was trained
 * @param arrived of these with the last run
 * @param columns that are watched; one that is gone, or of another kind, is watched no longer
 * @param before the model's answers that others are compared with: on rows that judged it, or else
 *     on the first that arrived; null before these
 * @param answers of the model; null as long as there are too few to compare with
 * @param ofAnswers what is promised of them
 */
public record ModelWatch(
        int version,
        long rows,
        long arrived,
        List<ColumnWatch> columns,
        @Nullable KeptColumn before,
        @Nullable ColumnWatch answers,
        MonitorOptions ofAnswers) {
    private static final long FEWEST = 500;

    public ModelWatch {
        columns = List.copyOf(columns);
    }

    /**
     * Before the first window.
     *
     * @param alarms the share of loops without any change that may ever see an alarm
     */
    public static ModelWatch begun(ModelReference reference, double alarms) {
        KeptColumn answered = reference.answers();
        List<KeptColumn> watched =
                reference.columns().stream().filter(column -> column.present() > 0).toList();
        MonitorOptions options =
                new MonitorOptions(Promise.EVER, alarms, 0).shared(watched.size() + 1);
        List<ColumnWatch> columns = new ArrayList<>();
        for (KeptColumn column : watched) {
            ColumnWatch begun = ColumnWatch.begun(column, options.seeded(columns.size()));
            if (begun != null) {
                columns.add(begun);
            }
        }
        MonitorOptions own = options.seeded(watched.size());
        return new ModelWatch(
                reference.version(),
                0,
                0,
                columns,
                answered,
                answered == null ? null : ColumnWatch.begun(answered, own),
                own);
    }

    /**
     * After one more window.
     *
     * @param window the file of rows that arrived; at least one
     * @param came how many
     * @param answered the file of the model's answers for them; null where it has none
     * @param part a number that no other window has
     */
    public ModelWatch after(
            ColumnReader reader, Path window, long came, @Nullable Answered answered, long part) {
        Map<String, Boolean> there = reader.columns(window, Set.of());
        List<ColumnWatch> after = new ArrayList<>();
        for (ColumnWatch column : columns) {
            Boolean hasNumbers = there.get(column.column());
            if (hasNumbers != null && hasNumbers == column.hasNumbers()) {
                after.add(column.after(reader, window, column.column(), part));
            }
        }
        ModelWatch next =
                new ModelWatch(version, rows + came, came, after, before, answers, ofAnswers);
        return answered == null ? next : next.answered(reader, answered, part);
    }

    private ModelWatch answered(ColumnReader reader, Answered answered, long part) {
        if (answers != null) {
            return with(before, answers.after(reader, answered.file(), answered.column(), part));
        }
        Boolean hasNumbers = reader.columns(answered.file(), Set.of()).get(answered.column());
        if (hasNumbers == null) {
            return this;
        }
        KeptColumn first =
                hasNumbers
                        ? reader.keptNumbers(answered.file(), answered.column(), part)
                        : reader.keptCategories(answered.file(), answered.column());
        KeptColumn both = before == null ? first : before.merge(first);
        return with(both, both.present() < FEWEST ? null : ColumnWatch.begun(both, ofAnswers));
    }

    private ModelWatch with(@Nullable KeptColumn compared, @Nullable ColumnWatch watched) {
        return new ModelWatch(version, rows, arrived, columns, compared, watched, ofAnswers);
    }

    /** The same after a run with which no rows came. */
    public ModelWatch withoutRows() {
        return new ModelWatch(version, rows, 0, columns, before, answers, ofAnswers);
    }

    /** Names where a model's answers are. */
    public record Answered(Path file, String column) {}

    /** Where the columns stand, changed ones that cost most first. */
    public List<ColumnStanding> standings(ModelReference reference) {
        List<ColumnStanding> standings = new ArrayList<>();
        for (ColumnWatch column : columns) {
            ColumnStanding standing =
                    standing(column, before(reference, column), losses(reference, column));
            if (standing != null) {
                standings.add(standing);
            }
        }
        return ColumnStanding.ranked(standings);
    }

    /**
     * Where the answers stand; null where there are none to compare with, or none have come since.
     *
     * @param name what they are called
     */
    public @Nullable ColumnStanding ofAnswers(String name) {
        ColumnStanding standing =
                answers == null || before == null ? null : standing(answers, before, null);
        return standing == null ? null : standing.called(name);
    }

    /** The metric that the newest rows let expect; null where it cannot be told. */
    public @Nullable ExpectedFigure expected(ModelReference reference, JudgedMetric metric) {
        return answers == null
                ? null
                : ExpectedFigure.of(metric, reference.judged(), answers.now());
    }

    private static KeptColumn before(ModelReference reference, ColumnWatch column) {
        return reference.columns().stream()
                .filter(kept -> kept.column().equals(column.column()))
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable ColumnLosses losses(ModelReference reference, ColumnWatch column) {
        ModelReference.Judged judged = reference.judged();
        return judged == null
                ? null
                : judged.losses().stream()
                        .filter(losses -> losses.column().equals(column.column()))
                        .findFirst()
                        .orElse(null);
    }

    private static @Nullable ColumnStanding standing(
            ColumnWatch column, KeptColumn before, @Nullable ColumnLosses losses) {
        KeptColumn now = column.now();
        if (column.standing() == null || now == null) {
            return null;
        }
        ColumnDamage damage = losses == null || now.rows() == 0 ? null : losses.damage(now);
        return new ColumnStanding(
                column.column(), column.standing(), ColumnStatistics.of(before, now), damage);
    }
}
