package dev.medley.base;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoiseSampleTest {
    private static final int DIMENSIONS = 20;
    private static final double SPREAD = 3;
    private static final int DRAWS = 8_000;

    @ParameterizedTest
    @Tag("property")
    @ValueSource(longs = {1, 2, 3, 4})
    void unequalSharesShouldGiveSignalAndVarianceInTheMean(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<Double> shares = List.of(4.0, 8.0, 32.0, 64.0);
        double signal = 0;
        double variance = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double[] mean = new double[DIMENSIONS];
            List<Double> squares = new ArrayList<>();
            for (double share : shares) {
                double[] own = gradient(share, random);
                squares.add(square(own));
                add(mean, own, share / 108);
            }
            NoiseSample sample = NoiseSample.of(shares, squares, square(mean));
            signal += sample.signal() / DRAWS;
            variance += sample.variance() / DRAWS;
        }
        assertThat(variance).isCloseTo(trace(), Percentage.withPercentage(2));
        assertThat(signal).isCloseTo(DIMENSIONS, Percentage.withPercentage(2));
    }

    @ParameterizedTest
    @Tag("property")
    @ValueSource(longs = {5, 6})
    void oneWorkersFirstPartShouldGiveThemToo(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        double signal = 0;
        double variance = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
            double[] part = gradient(8, random);
            double[] mean = new double[DIMENSIONS];
            add(mean, part, 8 / 32.0);
            add(mean, gradient(24, random), 24 / 32.0);
            NoiseSample sample = NoiseSample.nested(8, square(part), 32, square(mean));
            signal += sample.signal() / DRAWS;
            variance += sample.variance() / DRAWS;
        }
        assertThat(variance).isCloseTo(trace(), Percentage.withPercentage(2));
        assertThat(signal).isCloseTo(DIMENSIONS, Percentage.withPercentage(2));
    }

    @Test
    @Tag("unit")
    void fewerThanTwoPartsShouldSayNothing() {
        assertThat(NoiseSample.of(List.of(4.0, 0.0), List.of(1.0, Double.NaN), 1)).isNull();
        assertThat(NoiseSample.nested(0, 1, 8, 1)).isNull();
        assertThat(NoiseSample.nested(8, 1, 8, 1)).isNull();
        NoiseSample idle = NoiseSample.of(List.of(4.0, 0.0, 4.0), List.of(3.0, Double.NaN, 3.0), 2);
        assertThat(idle).isEqualTo(new NoiseSample(1, 8));
        assertThat(idle.perSampleOf(4)).isEqualTo(new NoiseSample(1, 2));
    }

    private static double trace() {
        return DIMENSIONS * SPREAD * SPREAD;
    }

    /** The mean of so many samples' gradients: all ones, and noise. */
    private static double[] gradient(double samples, RandomGenerator random) {
        double[] values = new double[DIMENSIONS];
        for (int i = 0; i < DIMENSIONS; i++) {
            values[i] = 1 + SPREAD / Math.sqrt(samples) * random.nextGaussian();
        }
        return values;
    }

    private static void add(double[] sum, double[] values, double weight) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += weight * values[i];
        }
    }

    private static double square(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += value * value;
        }
        return sum;
    }
}
