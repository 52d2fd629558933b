package dev.medley.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.text.TextTable.Align;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class UnitsTest {
    @Test
    void shouldSayDurationsInTheUnitThatFits() {
        assertThat(Units.duration(0)).isEqualTo("0 s");
        assertThat(Units.duration(950)).isEqualTo("950 ns");
        assertThat(Units.duration(999.9)).isEqualTo("1.00 µs");
        assertThat(Units.duration(1.834e6)).isEqualTo("1.83 ms");
        assertThat(Units.duration(12.44e9)).isEqualTo("12.4 s");
        assertThat(Units.duration(59.97e9)).isEqualTo("1 min");
        assertThat(Units.duration(200e9)).isEqualTo("3 min 20 s");
        assertThat(Units.duration(7500e9)).isEqualTo("2 h 5 min");
    }

    @Test
    void shouldSayBytesAndRates() {
        assertThat(Units.bytes(0)).isEqualTo("0 B");
        assertThat(Units.bytes(1000)).isEqualTo("0.98 KiB");
        assertThat(Units.bytes(1.5 * (1 << 30))).isEqualTo("1.50 GiB");
        assertThat(Units.bytesPerSecond(312e6)).isEqualTo("312 MB/s");
        assertThat(Units.scaled(41.26e9) + "FLOP/s").isEqualTo("41.3 GFLOP/s");
        assertThat(Units.samplesPerSecond(12345.6)).isEqualTo("12,346 samples/s");
        assertThat(Units.percent(0.123)).isEqualTo("12 %");
        assertThat(Units.percent(0.0123)).isEqualTo("1.2 %");
    }

    @Test
    void shouldSayMetricsWithFourDigitsThatMatter() {
        assertThat(Units.metric(0.88421)).isEqualTo("0.8842");
        assertThat(Units.metric(12.34567)).isEqualTo("12.346");
        assertThat(Units.metric(1.234e-6)).isEqualTo("1.234e-06");
        assertThat(Units.metric(Double.NaN)).isEqualTo("not a number");
    }

    @Test
    void shouldAlignTables() {
        String text =
                new TextTable()
                        .column("name", Align.LEFT)
                        .column("steps", Align.RIGHT)
                        .row(List.of("a µ", "1"))
                        .row(List.of("longer", "1,234"))
                        .text();
        assertThat(text).isEqualTo("name    steps\na µ         1\nlonger  1,234\n");
    }
}
