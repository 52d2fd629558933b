package dev.medley.data.table.series;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.encoding.Cadence;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;

/**
 * The times that split windows: those of training ask for rows before {@code validation}, those to
 * judge by for rows from there to before {@code test}.
 *
 * @param validation first time that training does not ask for
 * @param test first time that nothing before {@code medley evaluate} asks for
 */
record Borders(double validation, double test) {
    /** What a job says, of rows from one time to another. */
    static Borders of(SeriesSpec spec, Cadence cadence, double[] ends) {
        long all = cadence.rows(ends[0], ends[1]) + 1;
        long test = row("data.series.test", spec.test(), all, all, cadence, ends[0]);
        long validation =
                row("data.series.validation", spec.validation(), test, all, cadence, ends[0]);
        check(
                validation <= test,
                "data.series.validation=%s is after data.series.test=%s: what trains comes first,"
                        + " then what validates",
                spec.validation(),
                spec.test());
        return new Borders(cadence.after(ends[0], validation), cadence.after(ends[0], test));
    }

    /** Refuses borders that are neither shares nor times of a column of that unit. */
    static void requireTimes(SeriesSpec spec, Cadence.Unit unit) {
        if (!SeriesSpec.isShare(spec.validation())) {
            time("data.series.validation", spec.validation(), unit);
        }
        if (!SeriesSpec.isShare(spec.test())) {
            time("data.series.test", spec.test(), unit);
        }
        if (spec.until() != null) {
            time("data.series.until", spec.until(), unit);
        }
    }

    private static long row(
            String key, String border, long before, long all, Cadence cadence, double first) {
        return SeriesSpec.isShare(border)
                ? before - (long) (SeriesSpec.share(border) * all)
                : Math.min(all, cadence.rows(first, time(key, border, cadence.unit())));
    }

    /** A time as a job has it. */
    static double time(String key, String text, Cadence.Unit unit) {
        try {
            if (unit == Cadence.Unit.NUMBER) {
                return Double.parseDouble(text);
            }
            String iso = text.strip().replace(' ', 'T');
            LocalDateTime time =
                    iso.indexOf('T') < 0
                            ? LocalDate.parse(iso).atStartOfDay()
                            : LocalDateTime.parse(iso);
            return time.toEpochSecond(ZoneOffset.UTC);
        } catch (DateTimeParseException | NumberFormatException e) {
            throw new ConfigException(
                    "%s=%s: neither a share of the time below 1 nor a time as %s"
                            .formatted(
                                    key,
                                    text,
                                    unit == Cadence.Unit.NUMBER
                                            ? "the column has it"
                                            : "2017-06-26 or 2017-06-26 12:00"),
                    e);
        }
    }
}
