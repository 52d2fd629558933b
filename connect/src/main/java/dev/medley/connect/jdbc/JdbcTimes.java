package dev.medley.connect.jdbc;

import dev.medley.base.ConfigException;
import dev.medley.connect.table.ColumnType;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.Set;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;

/**
 * Reads days and times of a result as java.time has them. Some drivers know the older classes
 * alone, whose calendar is Julian before 15 October 1582, as their texts are: of those a day is the
 * one that they write. Times of the ten days before have no answer there and are refused.
 *
 * <p>Thread: one.
 */
final class JdbcTimes {
    private static final Instant GREGORIAN = Instant.parse("1582-10-15T00:00:00Z");
    private static final Instant JULIAN_ALONE = Instant.parse("1582-10-05T00:00:00Z");

    private final Set<ColumnType> older = EnumSet.noneOf(ColumnType.class);

    /** Reads one value in one way. */
    @FunctionalInterface
    private interface Way<T> {
        @Nullable T read() throws SQLException;
    }

    /** A day; some drivers lose the sign of its year on the way to the class that is asked for. */
    @Nullable LocalDate day(ResultSet result, int index) throws SQLException {
        Object given = result.getObject(index);
        if (given == null || given instanceof LocalDate) {
            return (LocalDate) given;
        }
        LocalDate day =
                read(
                        ColumnType.DATE,
                        () -> result.getObject(index, LocalDate.class),
                        () -> older(result.getDate(index)));
        return day != null
                        && day.getYear() > 0
                        && given instanceof Date date
                        && isOfBc(date.getTime())
                ? day.withYear(1 - day.getYear())
                : day;
    }

    private static boolean isOfBc(long millis) {
        Calendar local = new GregorianCalendar(TimeZone.getDefault(), Locale.ROOT);
        local.setTimeInMillis(millis);
        return local.get(Calendar.ERA) == GregorianCalendar.BC;
    }

    private static @Nullable LocalDate older(@Nullable Date date) {
        return date == null ? null : date.toLocalDate();
    }

    /** A date and time without a zone. */
    @Nullable LocalDateTime dateTime(ResultSet result, int index, String name) throws SQLException {
        return read(
                ColumnType.DATETIME,
                () -> result.getObject(index, LocalDateTime.class),
                () -> {
                    Timestamp inUtc = result.getTimestamp(index, utc());
                    if (inUtc == null) {
                        return null;
                    }
                    return isGregorian(inUtc, name)
                            ? ofGregorian(inUtc)
                            : ofJulian(result.getTimestamp(index));
                });
    }

    /** A moment. */
    @Nullable OffsetDateTime moment(ResultSet result, int index, String name) throws SQLException {
        return read(
                ColumnType.INSTANT,
                () -> result.getObject(index, OffsetDateTime.class),
                () -> {
                    Timestamp given = result.getTimestamp(index);
                    if (given == null) {
                        return null;
                    }
                    LocalDateTime inUtc =
                            isGregorian(given, name) ? ofGregorian(given) : julianUtc(given);
                    return inUtc.atOffset(ZoneOffset.UTC);
                });
    }

    /** What a driver does not know it says with the first value, and is not asked again. */
    private <T> @Nullable T read(ColumnType type, Way<T> newer, Way<T> old) throws SQLException {
        if (older.contains(type)) {
            return old.read();
        }
        try {
            return newer.read();
        } catch (SQLException e) {
            T value;
            try {
                value = old.read();
            } catch (SQLException other) {
                e.addSuppressed(other);
                throw e;
            }
            older.add(type);
            return value;
        }
    }

    private static boolean isGregorian(Timestamp time, String name) {
        Instant instant = time.toInstant();
        ConfigException.check(
                instant.isBefore(JULIAN_ALONE) || !instant.isBefore(GREGORIAN),
                "column '%s': has a time of October 1582, where calendars changed, which this"
                    + " driver does not tell from one ten days before: read it from a query that"
                    + " makes it a text",
                name);
        return !instant.isBefore(GREGORIAN);
    }

    private static LocalDateTime ofGregorian(Timestamp time) {
        return LocalDateTime.ofInstant(time.toInstant(), ZoneOffset.UTC);
    }

    /** What it writes itself, in this machine's zone: with calendars of others drivers differ. */
    private static LocalDateTime ofJulian(Timestamp time) {
        LocalDateTime local = time.toLocalDateTime();
        return isOfBc(time.getTime()) ? local.withYear(1 - local.getYear()) : local;
    }

    private static LocalDateTime julianUtc(Timestamp time) {
        Calendar julian = utc();
        julian.setTimeInMillis(time.getTime());
        int year = julian.get(Calendar.YEAR);
        return LocalDateTime.of(
                julian.get(Calendar.ERA) == GregorianCalendar.BC ? 1 - year : year,
                julian.get(Calendar.MONTH) + 1,
                julian.get(Calendar.DAY_OF_MONTH),
                julian.get(Calendar.HOUR_OF_DAY),
                julian.get(Calendar.MINUTE),
                julian.get(Calendar.SECOND),
                time.getNanos());
    }

    /** Sets a parameter that is a number, day or time. */
    static void set(PreparedStatement statement, int index, Object value) throws SQLException {
        try {
            statement.setObject(index, value);
        } catch (SQLException e) {
            if (value instanceof LocalDate day) {
                statement.setDate(index, Date.valueOf(day));
            } else if (value instanceof LocalDateTime time) {
                Instant inUtc = time.toInstant(ZoneOffset.UTC);
                statement.setTimestamp(index, Timestamp.from(inUtc), utc());
            } else if (value instanceof OffsetDateTime moment) {
                statement.setTimestamp(index, Timestamp.from(moment.toInstant()));
            } else {
                throw e;
            }
        }
    }

    private static Calendar utc() {
        return new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
    }
}
