package dev.medley.data.encoding;

import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.ElementType;
import dev.medley.data.encoding.ColumnEncoding.Category;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of windows over time: FLOAT32 {@code past} [look-back, targets] is what a model
 * sees, and it is asked for the numbers [horizon, targets] after that, all of them scaled. Where
 * columns are known ahead, it sees FLOAT32 {@code known} [look-back + horizon, features] as well:
 * numbers, and a number for each value of a category, of which one is 1.
 *
 * @param time column of times
 * @param cadence how far apart rows are
 * @param by columns that tell series apart
 * @param targets columns that are seen and predicted
 * @param known columns of numbers that are known ahead; null, as in the files of versions that had
 *     none
 * @param lookBack rows that a model sees
 * @param horizon rows that it is asked for
 * @param scales of the targets and of the features known ahead; of each series where it has its own
 * @param test time from which on training saw nothing; null where it saw all
 * @param until time from which on rows are left out; null for none
 * @param categories columns of them that are known ahead; null, as in the files of versions that
 *     had none
 */
public record SeriesEncoding(
        String time,
        Cadence cadence,
        List<String> by,
        List<String> targets,
        @Nullable List<String> known,
        int lookBack,
        int horizon,
        List<Scales> scales,
        @Nullable Double test,
        @Nullable Double until,
        @Nullable List<Category> categories)
        implements Encoding {
    /**
     * How the targets of a series are scaled.
     *
     * @param series its values of the columns that tell series apart; empty for all series
     * @param targets by target, and behind them by feature known ahead
     */
    public record Scales(List<String> series, List<Scaling> targets) {
        public Scales {
            series = List.copyOf(series);
            targets = List.copyOf(targets);
        }
    }

    public SeriesEncoding {
        by = List.copyOf(by);
        targets = List.copyOf(targets);
        known = known == null ? List.of() : List.copyOf(known);
        scales = List.copyOf(scales);
        categories = categories == null ? List.of() : List.copyOf(categories);
    }

    @Override
    public Signature signature() {
        Signature.Input past =
                new Signature.Input(
                        "past", ElementType.FLOAT32, List.of(lookBack, channels()), List.of());
        Signature.Input ahead =
                new Signature.Input(
                        "known",
                        ElementType.FLOAT32,
                        List.of(lookBack + horizon, ahead().size()),
                        List.of());
        return new Signature(
                ahead().isEmpty() ? List.of(past) : List.of(past, ahead),
                new Signature.Target(TargetKind.VALUES, horizon * channels(), targets));
    }

    @Override
    public String reads() {
        return "series over time";
    }

    /** Numbers of one row that are seen and predicted. */
    public int channels() {
        return targets.size();
    }

    /** Numbers of one row as it is stored: targets, and behind them what is known ahead. */
    public int columns() {
        return channels() + ahead().size();
    }

    /** Names of the numbers of one row that are known ahead. */
    public List<String> ahead() {
        List<String> all = new ArrayList<>(Objects.requireNonNull(known));
        ofCategories().forEach(category -> all.addAll(category.codeNames()));
        return all;
    }

    /** Columns that are known ahead, those of numbers first. */
    public List<String> aheadColumns() {
        List<String> all = new ArrayList<>(Objects.requireNonNull(known));
        ofCategories().forEach(category -> all.add(category.name()));
        return all;
    }

    /** Columns of categories that are known ahead. */
    public List<Category> ofCategories() {
        return Objects.requireNonNull(categories);
    }
}
