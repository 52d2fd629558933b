package dev.medley.data.table.series;

import dev.medley.data.encoding.Cadence;
import dev.medley.data.table.engine.TableScan;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Knows where each series begins and how many rows it has, none of which is missing. Rows at its
 * end that have no target are no part of it: they say what is known ahead.
 */
final class Extents {
    private final double[] first;
    private final double[] last;
    private final double[] end;
    private final long[] rows;
    private final long[] ahead;

    private Extents(int series) {
        first = new double[series];
        last = new double[series];
        end = new double[series];
        rows = new long[series];
        ahead = new long[series];
    }

    /**
     * Looks at all rows.
     *
     * @throws dev.medley.base.ConfigException for two rows of one time, a gap, or a missing value
     */
    static Extents of(SeriesRows table, Cadence cadence) throws IOException {
        Extents extents = new Extents(table.names().size());
        try {
            table.scan(
                    chunk -> {
                        for (int row = 0; row < chunk.rows; row++) {
                            int series = chunk.codes[0][row];
                            double time = chunk.numbers[0][row];
                            extents.follow(table, cadence, series, time);
                            extents.add(table, cadence, series, time, missing(chunk, row));
                        }
                    });
        } catch (RowTrouble e) {
            throw e.in(table.places());
        }
        return extents;
    }

    /** Which columns have no value. */
    private static BitSet missing(TableScan.Chunk chunk, int row) {
        BitSet missing = new BitSet();
        for (int c = 1; c < chunk.numbers.length; c++) {
            missing.set(c - 1, Double.isNaN(chunk.numbers[c][row]));
        }
        return missing;
    }

    private void add(SeriesRows table, Cadence cadence, int series, double time, BitSet missing) {
        int targets = table.targets().size();
        boolean isAhead =
                table.hasAhead()
                        && rows[series] > 0
                        && missing.cardinality() == targets
                        && missing.length() == targets;
        if (isAhead) {
            ahead[series]++;
            return;
        }
        if (!missing.isEmpty()) {
            throw new RowTrouble(
                    series,
                    time,
                    ", column '%s': %s has no value at %s: fill it in, since a model sees all rows"
                                    .formatted(
                                            table.columns().get(missing.nextSetBit(0)),
                                            table.nameOf(series),
                                            cadence.text(time))
                            + " of a window");
        }
        if (ahead[series] > 0) {
            throw new RowTrouble(
                    series,
                    time,
                    ", column '%s': %s has no value after %s, but has at %s: fill it in, since a"
                                    .formatted(
                                            table.targets().get(0),
                                            table.nameOf(series),
                                            cadence.text(last[series]),
                                            cadence.text(time))
                            + " model sees all rows of a window");
        }
        if (rows[series] == 0) {
            first[series] = time;
        }
        last[series] = time;
        rows[series]++;
    }

    /** A row comes next after the one before it. */
    private void follow(SeriesRows table, Cadence cadence, int series, double time) {
        if (rows[series] > 0) {
            if (time <= end[series]) {
                throw new RowTrouble(
                        series,
                        time,
                        ": %s has two rows for %s: keep one, or name what tells them apart in"
                                        .formatted(table.nameOf(series), cadence.text(time))
                                + " data.series.by");
            }
            if (!cadence.follows(end[series], time)) {
                throw new RowTrouble(
                        series,
                        time,
                        ": %s has no row between %s and %s, where rows are %s apart: fill the gap,"
                                        .formatted(
                                                table.nameOf(series),
                                                cadence.text(end[series]),
                                                cadence.text(time),
                                                cadence.words())
                                + " or leave out what is before it");
            }
        }
        end[series] = time;
    }

    /** Rows of a series at its end that say only what is known ahead. */
    long ahead(int series) {
        return ahead[series];
    }

    /** Rows of a series. */
    long rows(int series) {
        return rows[series];
    }

    /** The last time of a series that has targets. */
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
