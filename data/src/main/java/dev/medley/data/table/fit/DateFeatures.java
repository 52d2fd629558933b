package dev.medley.data.table.fit;

import dev.medley.data.encoding.ColumnEncoding.Moment;
import java.time.LocalDate;

/** Computes the features of dates and time stamps. */
public final class DateFeatures {
    static final long DAY_SECONDS = 86_400;

    private static final int WEEK_DAYS = 7;
    private static final int MONDAY_SHIFT = 3;

    private DateFeatures() {}

    /**
     * The features of one moment, without the missing indicator.
     *
     * @param seconds since 1970 UTC; NaN for none, which is the centre and no place in any cycle
     * @param into from {@code at} on
     */
    public static int put(Moment moment, double seconds, float[] into, int at) {
        int cycles = moment.timeOfDay() ? 3 : 2;
        if (Double.isNaN(seconds)) {
            for (int i = 0; i < 1 + 2 * cycles; i++) {
                into[at + i] = moment.keepsMissing() ? Float.NaN : 0;
            }
            return at + 1 + 2 * cycles;
        }
        double days = seconds / DAY_SECONDS;
        long epochDay = (long) Math.floor(days);
        LocalDate date = LocalDate.ofEpochDay(epochDay);
        int next = at;
        into[next++] = (float) moment.scaling().of(days);
        next = cycle((date.getDayOfYear() - 1.0) / date.lengthOfYear(), into, next);
        next =
                cycle(
                        (double) Math.floorMod(epochDay + MONDAY_SHIFT, WEEK_DAYS) / WEEK_DAYS,
                        into,
                        next);
        return moment.timeOfDay() ? cycle(days - epochDay, into, next) : next;
    }

    private static int cycle(double part, float[] into, int at) {
        into[at] = (float) Math.sin(2 * Math.PI * part);
        into[at + 1] = (float) Math.cos(2 * Math.PI * part);
        return at + 2;
    }
}
