package dev.medley.data.encoding;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;

/**
 * The distance of the rows of series in time: so many units, or so many months of the calendar.
 *
 * @param unit what times are: seconds since 1970 (UTC), of days or of times of day, or numbers
 * @param step from one row to the next, in seconds or as numbers; 0 where it is months
 * @param months from one row to the next; 0 where it is a step
 */
public record Cadence(Unit unit, double step, int months) {
    private static final double MINUTE = 60;
    private static final double HOUR = 3600;
    private static final double DAY = 86_400;
    private static final double SHORTEST_MONTH = 28 * DAY;
    private static final double MEAN_MONTH = 30.436875 * DAY;
    private static final double ALIKE = 1e-6;
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

    /** What a column of times holds. */
    public enum Unit {
        DAY,
        MOMENT,
        NUMBER
    }

    /** The cadence of rows whose distances are from {@code least} to {@code most}. */
    public static Cadence of(Unit unit, double least, double most) {
        boolean isMonths = unit != Unit.NUMBER && least < most && least >= SHORTEST_MONTH;
        return isMonths
                ? new Cadence(unit, 0, (int) Math.max(1, Math.round(least / MEAN_MONTH)))
                : new Cadence(unit, least, 0);
    }

    /** The time so many rows after another; of the last day of a month, the last of another. */
    public double after(double time, long rows) {
        if (months == 0) {
            return time + rows * step;
        }
        LocalDateTime from = moment(time);
        LocalDateTime to = from.plusMonths(months * rows);
        boolean isLast = from.getDayOfMonth() == from.toLocalDate().lengthOfMonth();
        return seconds(isLast ? to.with(TemporalAdjusters.lastDayOfMonth()) : to);
    }

    /**
     * Whether {@code next} is one row after {@code time}: the 28th of March or the last after the
     * 28th of February.
     */
    public boolean follows(double time, double next) {
        return isAlike(time, after(time, 1), next)
                || (months > 0 && isAlike(time, seconds(moment(time).plusMonths(months)), next))
                || (months > 0 && isAlike(next, seconds(moment(next).minusMonths(months)), time));
    }

    private static boolean isAlike(double from, double expected, double found) {
        return Math.abs(found - expected) <= ALIKE * Math.max(1, Math.abs(expected - from));
    }

    /** Rows from one time to before another, at least 0. */
    public long rows(double from, double to) {
        if (to <= from) {
            return 0;
        } else if (months == 0) {
            return (long) Math.ceil((to - from) / step - ALIKE);
        }
        long rows = ChronoUnit.MONTHS.between(moment(from), moment(to)) / months;
        return after(from, rows) < to ? rows + 1 : rows;
    }

    /** A time as text. */
    public String text(double time) {
        return text(unit, time);
    }

    /** A time of a unit as text. */
    public static String text(Unit unit, double time) {
        return switch (unit) {
            case DAY -> moment(time).toLocalDate().toString();
            case MOMENT -> MOMENT.format(moment(time));
            case NUMBER ->
                    time == Math.rint(time) ? Long.toString((long) time) : Double.toString(time);
        };
    }

    /** The distance for people: "1 h". */
    public String words() {
        if (months > 0) {
            return months == 1 ? "a month" : months + " months";
        } else if (unit == Unit.NUMBER) {
            return text(step);
        }
        double per = step % DAY == 0 ? DAY : step % HOUR == 0 ? HOUR : step % MINUTE == 0 ? 60 : 1;
        String name = per == DAY ? "d" : per == HOUR ? "h" : per == MINUTE ? "min" : "s";
        return text(Unit.NUMBER, step / per) + " " + name;
    }

    private static LocalDateTime moment(double time) {
        long nanos = Math.round((time - Math.floor(time)) * 1e9);
        return LocalDateTime.ofInstant(
                Instant.ofEpochSecond((long) Math.floor(time), nanos), ZoneOffset.UTC);
    }

    private static double seconds(LocalDateTime moment) {
        return moment.toEpochSecond(ZoneOffset.UTC) + moment.getNano() / 1e9;
    }
}
