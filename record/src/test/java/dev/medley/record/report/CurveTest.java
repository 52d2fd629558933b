package dev.medley.record.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class CurveTest {
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldKeepEverySpikeAndTheMean(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        double[] values = random.doubles(1 + random.nextInt(20_000), -5, 5).toArray();
        values[random.nextInt(values.length)] = 1000;
        Curve curve = Curve.of(values);
        assertThat(curve.mean()).hasSize(Math.min(values.length, Curve.MOST_POINTS));
        assertThat(Arrays.stream(curve.high()).max()).hasValue(1000);
        assertThat(Arrays.stream(curve.low()).min().getAsDouble())
                .isEqualTo(Arrays.stream(values).min().getAsDouble());
        for (int i = 0; i < curve.mean().length; i++) {
            assertThat(curve.mean()[i]).isBetween(curve.low()[i] - 1e-9, curve.high()[i] + 1e-9);
        }
    }

    @Test
    void shouldSmoothAConstantAndALineToThemselves() {
        double[] line = new double[500];
        Arrays.setAll(line, i -> 3 + 0.5 * i);
        double[] smooth = Curve.smooth(line);
        for (int i = 0; i < line.length; i++) {
            assertThat(smooth[i]).isCloseTo(line[i], org.assertj.core.data.Offset.offset(1e-9));
        }
    }

    @Test
    void shouldFollowALevelThroughNoiseAndGaps() {
        RandomGenerator random = Seeds.generator(3);
        double[] noisy = random.doubles(2000, -1, 1).map(noise -> 5 + noise).toArray();
        noisy[700] = Double.NaN;
        noisy[1999] = Double.POSITIVE_INFINITY;
        double[] smooth = Curve.smooth(noisy);
        assertThat(Arrays.stream(smooth).min().getAsDouble()).isGreaterThan(4.6);
        assertThat(Arrays.stream(smooth).max().getAsDouble()).isLessThan(5.4);
        assertThat(Curve.smooth(new double[] {7})).containsExactly(7);
        assertThat(Curve.smooth(new double[] {Double.NaN})).containsExactly(Double.NaN);
    }

    @Test
    void shouldPassOverWhatIsNoNumber() {
        Curve curve = Curve.of(new double[] {1, Double.NaN, 3});
        assertThat(curve.mean()).containsExactly(1, Double.NaN, 3);
        assertThat(Curve.of(new double[0]).mean()).isEmpty();
    }

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }
}
