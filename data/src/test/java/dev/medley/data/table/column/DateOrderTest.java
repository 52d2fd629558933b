package dev.medley.data.table.column;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.DataSpec.Dates;
import dev.medley.data.table.column.DateOrder.Seen;
import dev.medley.data.table.column.DateOrder.Year;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order of dates, by what is seen, what is asked for, and what other columns show. */
@Tag("unit")
class DateOrderTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "-, FIRST, 0, 0, 0, DAY_FIRST, FOUND, %Y-%m-%d, false, the year is first",
                "/, LAST, 3, 0, 9, FOUND, FOUND, %d/%m/%Y, false, values above 12 are days",
                "/, LAST, 0, 3, 9, FOUND, DAY_FIRST, %m/%d/%Y, false, values above 12 are days",
                "/, LAST, 0, 3, 9, DAY_FIRST, FOUND, %m/%d/%Y, false, values above 12 are days",
                "/, LAST, 0, 3, 9, MONTH_FIRST, FOUND, %m/%d/%Y, false, data.table.dates says so",
                "/, LAST, 3, 0, 9, YEAR_FIRST, FOUND, %d/%m/%Y, false, values above 12 are days",
                "/, SHORT, 3, 0, 0, YEAR_FIRST, FOUND, %y/%m/%d, false, data.table.dates says so",
                "/, LAST, 0, 0, 9, DAY_FIRST, MONTH_FIRST, %d/%m/%Y, false, data.table.dates says"
                        + " so",
                "/, LAST, 3, 3, 9, FOUND, FOUND, %d/%m/%Y, false, most values are so",
                "/, LAST, 3, 4, 9, FOUND, FOUND, %m/%d/%Y, false, most values are so",
                "-, SHORT, 3, 4, 0, FOUND, FOUND, %y-%m-%d, false, no other order fits",
                "-, SHORT, 3, 4, 1, FOUND, FOUND, %m-%d-%y, false, most values are so",
                "., SHORT, 3, 4, 0, FOUND, FOUND, %m.%d.%y, false, most values are so",
                "-, SHORT, 3, 0, 0, FOUND, FOUND, %d-%m-%y, true, values above 12 are days",
                "-, SHORT, 3, 0, 1, FOUND, FOUND, %d-%m-%y, false, values above 12 are days",
                "/, LAST, 0, 0, 9, FOUND, DAY_FIRST, %d/%m/%Y, true, as in other columns",
                "/, LAST, 0, 0, 9, FOUND, FOUND, %m/%d/%Y, true, \"usual with '/' between\"",
                "., SHORT, 0, 0, 9, FOUND, FOUND, %d.%m.%y, true, \"usual with '.' between\""
            })
    void orderShouldBeTheOneThatTheStrongestReasonGives(
            String separator,
            Year year,
            long first,
            long second,
            long notYear,
            Dates asked,
            Dates elsewhere,
            String pattern,
            boolean isOpen,
            String why) {
        Seen seen = new Seen(separator, year, first, second, notYear);
        assertThat(DateOrder.of(seen, asked, elsewhere))
                .isEqualTo(new DateOrder(pattern, isOpen, why));
    }

    @Test
    void whatIsProvenShouldBeOneOrderOnly() {
        assertThat(DateOrder.proven(new Seen("/", Year.LAST, 1, 0, 0))).isEqualTo(Dates.DAY_FIRST);
        assertThat(DateOrder.proven(new Seen("/", Year.LAST, 0, 1, 0)))
                .isEqualTo(Dates.MONTH_FIRST);
        assertThat(DateOrder.proven(new Seen("/", Year.LAST, 1, 1, 0))).isEqualTo(Dates.FOUND);
        assertThat(DateOrder.proven(new Seen("/", Year.LAST, 0, 0, 0))).isEqualTo(Dates.FOUND);
        assertThat(DateOrder.proven(new Seen("/", Year.FIRST, 1, 0, 0))).isEqualTo(Dates.FOUND);
        assertThat(new Seen("/", Year.LAST, 0, 0, 0).isOpen()).isTrue();
        assertThat(new Seen("/", Year.LAST, 0, 1, 0).isOpen()).isFalse();
        assertThat(new Seen("/", Year.FIRST, 0, 0, 0).isOpen()).isFalse();
    }

    @Test
    void aJobShouldBeContradictedByDayAndMonthAlone() {
        DateOrder day = new DateOrder("%d/%m/%Y", false, "");
        assertThat(day.isAgainst(Dates.MONTH_FIRST)).isTrue();
        assertThat(day.isAgainst(Dates.DAY_FIRST)).isFalse();
        assertThat(day.isAgainst(Dates.YEAR_FIRST)).isFalse();
        assertThat(day.isAgainst(Dates.FOUND)).isFalse();
        assertThat(day.words()).isEqualTo("day-first");
        DateOrder year = new DateOrder("%y-%m-%d", false, "");
        assertThat(year.isAgainst(Dates.MONTH_FIRST)).isFalse();
        assertThat(year.words()).isEqualTo("year-first");
        assertThat(new DateOrder("%m-%d-%Y", false, "").words()).isEqualTo("month-first");
    }
}
