package dev.medley.base.job;

import static dev.medley.base.ConfigException.check;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says how a table becomes windows over time: each sees some rows of a series, and is asked for
 * those after them. Where the data has a label, each series is one sample, its last rows, and its
 * label is asked for; horizon, borders and scaling have no meaning then.
 *
 * @param time the column of times, which are as far apart in all series
 * @param by columns that tell series apart; empty where the table is one series
 * @param targets columns that are seen and predicted; empty for all columns of numbers. Beside a
 *     label they are only seen
 * @param known columns of numbers that are known ahead, for the rows that are asked for as well
 * @param lookBack rows that a model sees
 * @param horizon rows that it is asked for
 * @param scaling how values are brought to the size of 1
 * @param validation where the windows to judge by begin: a share of the time below 1, or a time
 * @param test where those begin that training does not see at all; the same
 * @param until the time from which rows are left out; null for none
 */
public record SeriesSpec(
        String time,
        List<String> by,
        List<String> targets,
        List<String> known,
        int lookBack,
        int horizon,
        Scaling scaling,
        String validation,
        String test,
        @Nullable String until) {
    /** What values are scaled by: means and deviations over the training part. */
    public enum Scaling {
        /** Those of the column. */
        COLUMN,
        /** Those of the column in the series. */
        SERIES,
        /** None: values as they are. */
        NONE
    }

    public SeriesSpec {
        by = List.copyOf(by);
        targets = List.copyOf(targets);
        known = List.copyOf(known);
        validation = isShare(validation) ? Double.toString(share(validation)) : validation;
        test = isShare(test) ? Double.toString(share(test)) : test;
        check(lookBack >= 1, "data.series.look_back=%d: at least 1 row", lookBack);
        check(horizon >= 1, "data.series.horizon=%d: at least 1 row", horizon);
        Set<String> seen = new HashSet<>(Set.of(time));
        for (String column : by) {
            check(seen.add(column), "data.series.by=%s: it has another part already", column);
        }
        for (String column : targets) {
            check(seen.add(column), "data.series.targets=%s: it has another part already", column);
        }
        for (String column : known) {
            check(seen.add(column), "data.series.known=%s: it has another part already", column);
        }
        double shares = share(validation) + share(test);
        check(
                shares < 1,
                "data.series.validation=%s, data.series.test=%s: nothing is left to train on",
                validation,
                test);
    }

    /** All columns of numbers of one series; the last tenth of the time to judge by. */
    public static SeriesSpec of(String time, int lookBack, int horizon) {
        return new SeriesSpec(
                time,
                List.of(),
                List.of(),
                List.of(),
                lookBack,
                horizon,
                Scaling.COLUMN,
                "0.1",
                "0",
                null);
    }

    /** The same with columns that are known ahead. */
    public SeriesSpec withKnown(List<String> columns) {
        return new SeriesSpec(
                time, by, targets, columns, lookBack, horizon, scaling, validation, test, until);
    }

    /** The same for series that {@code by} tells apart, of these columns. */
    public SeriesSpec seeing(List<String> by, List<String> columns) {
        return new SeriesSpec(
                time, by, columns, known, lookBack, horizon, scaling, validation, test, until);
    }

    /** What a border says as a share of the time; 0 for a time. */
    public static double share(String border) {
        return isShare(border) ? Double.parseDouble(border) : 0;
    }

    /** Whether a border is a number from 0 to below 1, and so no time. */
    public static boolean isShare(String border) {
        return border.matches("0|0?\\.\\d+([eE]-?\\d+)?|[1-9](\\.\\d+)?[eE]-\\d+");
    }
}
