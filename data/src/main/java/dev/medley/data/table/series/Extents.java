package dev.medley.data.table.series;

import static dev.medley.base.ConfigException.check;

import dev.medley.data.encoding.Cadence;
import java.io.IOException;
import java.util.Arrays;

/** Knows where each series begins and how many rows it has, none of which is missing. */
final class Extents {
    private final double[] first;
    private final double[] last;
    private final long[] rows;

    private Extents(int series) {
        first = new double[series];
        last = new double[series];
        rows = new long[series];
    }

    /**
     * Looks at all rows.
     *
     * @throws dev.medley.base.ConfigException for two rows of one time, a gap, or a missing value
     */
    static Extents of(SeriesRows table, Cadence cadence) throws IOException {
        Extents extents = new Extents(table.names().size());
        table.scan(
                chunk -> {
                    for (int row = 0; row < chunk.rows; row++) {
                        extents.add(table, cadence, chunk.codes[0][row], chunk.numbers[0][row]);
                        for (int c = 1; c < chunk.numbers.length; c++) {
                            check(
                                    !Double.isNaN(chunk.numbers[c][row]),
                                    "%s, column '%s': %s has no value at %s: fill it in, since a"
                                            + " model sees all rows of a window",
                                    table.file(),
                                    table.targets().get(c - 1),
                                    table.nameOf(chunk.codes[0][row]),
                                    cadence.text(chunk.numbers[0][row]));
                        }
                    }
                });
        return extents;
    }

    private void add(SeriesRows table, Cadence cadence, int series, double time) {
        if (rows[series] == 0) {
            first[series] = time;
        } else {
            check(
                    time > last[series],
                    "%s: %s has two rows for %s: keep one, or name what tells them apart in"
                            + " data.series.by",
                    table.file(),
                    table.nameOf(series),
                    cadence.text(time));
            check(
                    cadence.follows(last[series], time),
                    "%s: %s has no row between %s and %s, where rows are %s apart: fill the gap,"
                            + " or leave out what is before it",
                    table.file(),
                    table.nameOf(series),
                    cadence.text(last[series]),
                    cadence.text(time),
                    cadence.words());
        }
        last[series] = time;
        rows[series]++;
    }

    /** Rows of a series. */
    long rows(int series) {
        return rows[series];
    }

    /** The last time of a series. */
    double last(int series) {
        return last[series];
    }

    /** Rows of a series that are before {@code time}. */
    long before(int series, double time, Cadence cadence) {
        return rows[series] == 0 ? 0 : Math.min(rows[series], cadence.rows(first[series], time));
    }

    /** Rows of all series. */
    long all() {
        return Arrays.stream(rows).sum();
    }
}
