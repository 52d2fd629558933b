package dev.medley.data.table.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.job.SeriesSpec;
import dev.medley.data.encoding.Cadence;
import dev.medley.data.encoding.Scaling;
import dev.medley.data.table.series.SeriesScales.Spread;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of the times 10, 12, ..., 28. */
@Tag("unit")
class BordersTest {
    private static final Cadence BY_TWO = Cadence.of(Cadence.Unit.NUMBER, 2, 2);

    private static Borders of(String validation, String test) {
        SeriesSpec spec =
                new SeriesSpec(
                        "t",
                        List.of(),
                        List.of(),
                        List.of(),
                        1,
                        1,
                        SeriesSpec.Scaling.NONE,
                        validation,
                        test,
                        null);
        return Borders.of(spec, BY_TWO, new double[] {10, 28});
    }

    @ParameterizedTest
    @CsvSource({
        "0.2, 0, 26, 30",
        "0, 0, 30, 30",
        "0.2, 0.3, 20, 24",
        "0.19, 0, 28, 30",
        "16, 20, 16, 20",
        "20, 20, 20, 20",
        "17, 100, 18, 30",
        "0.1, 20, 18, 20"
    })
    void aShareShouldBeOfAllTimesAndATimeTheFirstRowFromItOn(
            String validation, String test, double from, double until) {
        assertThat(of(validation, test)).isEqualTo(new Borders(from, until));
    }

    @Test
    void validationShouldNotComeAfterTheTest() {
        assertThatThrownBy(() -> of("22", "20"))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "data.series.validation=22 is after data.series.test=20: what trains comes"
                                + " first, then what validates");
    }

    @Test
    void timesShouldBeReadAsTheColumnHasThem() {
        assertThat(Borders.time("k", "2.5", Cadence.Unit.NUMBER)).isEqualTo(2.5);
        assertThat(Borders.time("k", "1970-01-02", Cadence.Unit.DAY)).isEqualTo(86_400);
        assertThat(Borders.time("k", " 1970-01-02 01:00 ", Cadence.Unit.MOMENT)).isEqualTo(90_000);
        assertThatThrownBy(() -> Borders.time("k", "noon", Cadence.Unit.DAY))
                .hasMessage(
                        "k=noon: neither a share of the time below 1 nor a time as 2017-06-26 or"
                                + " 2017-06-26 12:00");
        assertThatThrownBy(() -> Borders.time("k", "noon", Cadence.Unit.NUMBER))
                .hasMessageEndingWith("nor a time as the column has it");
    }

    @Test
    void spreadsShouldBeThoseOfAllValues() {
        Spread spread = new Spread();
        assertThat(spread.scaling()).isEqualTo(new Scaling(0, 1, 0));
        spread.add(5);
        assertThat(spread.scaling()).isEqualTo(new Scaling(5, 1, 0));
        spread.add(1);
        spread.add(3);
        spread.add(3);
        assertThat(spread.scaling()).isEqualTo(new Scaling(3, Math.sqrt(2), 0));
    }
}
