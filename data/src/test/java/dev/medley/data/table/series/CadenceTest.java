package dev.medley.data.table.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.data.encoding.Cadence;
import dev.medley.data.encoding.Cadence.Unit;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CadenceTest {
    private static final double DAY = 86_400;

    private static double day(String date) {
        return LocalDate.parse(date).atStartOfDay().toEpochSecond(ZoneOffset.UTC);
    }

    @Test
    void shouldCountSteps() {
        Cadence hours = Cadence.of(Unit.MOMENT, 3600, 3600);
        double from = day("2024-02-28");
        assertThat(hours.text(hours.after(from, 25))).isEqualTo("2024-02-29 01:00:00");
        assertThat(hours.follows(from, from + 3600)).isTrue();
        assertThat(hours.follows(from, from + 7200)).isFalse();
        assertThat(hours.rows(from, from + 7200)).isEqualTo(2);
        assertThat(hours.rows(from, from + 7201)).isEqualTo(3);
        assertThat(hours.rows(from, from - 1)).isZero();
        assertThat(hours.words()).isEqualTo("1 h");
    }

    @Test
    void shouldKnowMonthsOfTheCalendar() {
        Cadence months = Cadence.of(Unit.DAY, 28 * DAY, 31 * DAY);
        assertThat(months.follows(day("2023-01-01"), day("2023-02-01"))).isTrue();
        assertThat(months.follows(day("2023-02-01"), day("2023-03-01"))).isTrue();
        assertThat(months.follows(day("2023-02-01"), day("2023-04-01"))).isFalse();
        assertThat(months.rows(day("2023-01-01"), day("2024-01-01"))).isEqualTo(12);
        assertThat(months.rows(day("2023-01-01"), day("2023-01-15"))).isEqualTo(1);
        assertThat(months.text(months.after(day("2023-11-01"), 3))).isEqualTo("2024-02-01");
        assertThat(months.words()).isEqualTo("a month");
        assertThat(Cadence.of(Unit.DAY, 28 * DAY, 28 * DAY).words()).isEqualTo("28 d");
    }

    @Test
    void shouldKnowTheEndsOfMonths() {
        Cadence months = Cadence.of(Unit.DAY, 28 * DAY, 31 * DAY);
        assertThat(months.follows(day("2023-01-31"), day("2023-02-28"))).isTrue();
        assertThat(months.follows(day("2023-02-28"), day("2023-03-31"))).isTrue();
        assertThat(months.follows(day("2023-02-28"), day("2023-03-28"))).isTrue();
        assertThat(months.follows(day("2023-02-28"), day("2023-03-30"))).isTrue();
        assertThat(months.follows(day("2023-02-28"), day("2023-04-30"))).isFalse();
        assertThat(months.rows(day("2023-01-31"), day("2023-04-30"))).isEqualTo(3);
        assertThat(months.text(months.after(day("2023-02-28"), 2))).isEqualTo("2023-04-30");
        Cadence quarters = Cadence.of(Unit.DAY, 90 * DAY, 92 * DAY);
        assertThat(quarters.follows(day("2023-09-30"), day("2023-12-31"))).isTrue();
    }

    @Test
    void shouldCountNumbers() {
        Cadence tens = Cadence.of(Unit.NUMBER, 10, 10);
        assertThat(tens.rows(5, 35)).isEqualTo(3);
        assertThat(tens.text(tens.after(5, 2))).isEqualTo("25");
        assertThat(tens.words()).isEqualTo("10");
    }
}
