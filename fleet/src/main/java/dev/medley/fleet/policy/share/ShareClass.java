package dev.medley.fleet.policy.share;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** Holds the jobs of equal rows in a {@link ShareProgramme}: what each of them gets is the same. */
final class ShareClass {
    private final ShareProgramme.Row row;
    private final double[] shares;
    private int jobs;

    private ShareClass(ShareProgramme.Row row) {
        this.row = row;
        shares = new double[row.gain().length];
    }

    /** The class of each row; equal rows have the same one. */
    static ShareClass[] of(ShareProgramme.Row[] rows) {
        Map<Key, ShareClass> classes = new HashMap<>();
        ShareClass[] byRow = new ShareClass[rows.length];
        for (int i = 0; i < rows.length; i++) {
            ShareProgramme.Row row = rows[i];
            byRow[i] = classes.computeIfAbsent(new Key(row), key -> new ShareClass(row));
            byRow[i].jobs++;
        }
        return byRow;
    }

    /** What its jobs' rows say. */
    ShareProgramme.Row row() {
        return row;
    }

    /** How many jobs it has. */
    int jobs() {
        return jobs;
    }

    /** Shares by type of each of its jobs; they change as the programme is solved. */
    double[] shares() {
        return shares;
    }

    /** What shares by type give to one of its jobs. */
    double gain(double[] of) {
        double sum = 0;
        for (int type = 0; type < of.length; type++) {
            sum += row.gain()[type] * of[type];
        }
        return sum;
    }

    /** Says whether rows are equal: to the last digit. */
    private record Key(ShareProgramme.Row row) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && key.row.workers() == row.workers()
                    && key.row.need().equals(row.need())
                    && Arrays.equals(key.row.gain(), row.gain());
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(row.gain())
                    + Double.hashCode(row.workers())
                    + 17 * row.need().hashCode();
        }
    }
}
