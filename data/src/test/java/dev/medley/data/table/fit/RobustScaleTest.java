package dev.medley.data.table.fit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.medley.base.Json;
import dev.medley.base.Seeds;
import dev.medley.data.encoding.ColumnEncoding;
import dev.medley.data.encoding.ColumnEncoding.Moment;
import dev.medley.data.encoding.ColumnEncoding.Numeric;
import dev.medley.data.encoding.Scaling;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class RobustScaleTest {
    @Test
    void medianShouldBeTheCentreAndTheQuartilesTheScale() {
        Scaling scaling = RobustScale.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 1e9}, 1);
        assertThat(scaling).isEqualTo(new Scaling(5, 4, 3));
        assertThat(scaling.of(5)).isZero();
        assertThat(scaling.of(9)).isEqualTo(1 / Math.sqrt(1 + 1 / 9.0), offset(1e-15));
        assertThat(scaling.of(-1e300)).isEqualTo(-3);
    }

    @Test
    void aColumnThatIsMostlyZeroShouldBeScaledByTheOthers() {
        double[] few = new double[1000];
        Arrays.fill(few, 995, 1000, 40);
        few[999] = 693_375_640;
        assertThat(RobustScale.of(few, 1)).isEqualTo(new Scaling(0, 40, 3));
        double[] some = new double[100];
        Arrays.fill(some, 92, 100, 2.4387);
        Scaling scaling = RobustScale.of(some, 1);
        assertThat(scaling.centre()).isZero();
        assertThat(scaling.scale()).isEqualTo(1, offset(1e-12));
    }

    @Test
    void oneValueShouldTakeTheOtherScale() {
        double[] same = new double[100];
        Arrays.fill(same, 0.1);
        assertThat(RobustScale.of(same, 7)).isEqualTo(new Scaling(0.1, 7, 3));
    }

    @Test
    void numbersOfAnySizeShouldStayFinite() {
        double most = Double.MAX_VALUE;
        double[] sizes = {-most, -1e160, -1, 0, Double.MIN_VALUE, 1, 1e160, most};
        for (double[] sorted :
                new double[][] {sizes, {-most, -most, most, most}, {0, 0, 0, most}}) {
            Scaling scaling = RobustScale.of(sorted, 1);
            assertThat(scaling.scale()).isPositive().isFinite();
            double before = -3;
            for (double x : sizes) {
                assertThat(scaling.of(x)).isBetween(before, 3.0);
                before = scaling.of(x);
            }
        }
    }

    @Test
    void encodingsOfEarlierVersionsShouldGiveTheSameBits() {
        ColumnEncoding number =
                Json.parse(
                        "{\"as\":\"numeric\",\"name\":\"x\",\"source\":\"NUMBER\",\"mean\":0.3,"
                                + "\"deviation\":0.7,\"missingIndicator\":true}",
                        ColumnEncoding.class);
        assertThat(number)
                .isEqualTo(new Numeric("x", ColumnEncoding.Source.NUMBER, 0.3, 0.7, 0, true));
        ColumnEncoding moment =
                Json.parse(
                        "{\"as\":\"moment\",\"name\":\"d\",\"dates\":\"\",\"timeOfDay\":false,"
                                + "\"mean\":9000.5,\"deviation\":12.25,"
                                + "\"missingIndicator\":false}",
                        ColumnEncoding.class);
        assertThat(moment).isEqualTo(new Moment("d", "", false, 9000.5, 12.25, 0, false));
        for (double x : new double[] {0, 0.1, 693_375_640, -1e-9}) {
            assertThat(((Numeric) number).scaling().of(x)).isEqualTo((x - 0.3) / 0.7);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @Tag("property")
    void sampleShouldBeExactUpToItsLimitAndCloseAbove(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int count = 20_000 + random.nextInt(20_000);
        double[] values = new double[count];
        boolean[] isTrain = new boolean[count];
        for (int i = 0; i < count; i++) {
            // Sorted files and periods must not matter.
            values[i] = seed % 2 == 0 ? i : i % 64;
            isTrain[i] = random.nextInt(10) > 0;
            values[i] = random.nextInt(50) == 0 ? Double.NaN : values[i];
        }
        double[] all = sample(values, isTrain, count, count);
        assertThat(all.length).isLessThan(count);
        double[] some = sample(values, isTrain, 4096, 2048);
        assertThat(sample(values, isTrain, 4096, 777)).isEqualTo(some);
        assertThat(some.length).isBetween(1900, 4096);
        for (double share : new double[] {0.05, 0.25, 0.5, 0.75, 0.95}) {
            double rank = (double) below(all, RobustScale.quantile(some, share)) / all.length;
            assertThat(rank).isEqualTo(share, offset(0.05));
        }
    }

    private static int below(double[] sorted, double value) {
        return (int) Arrays.stream(sorted).filter(x -> x < value).count();
    }

    private static double[] sample(double[] values, boolean[] isTrain, int limit, int chunk) {
        QuantileSample sample = new QuantileSample(limit);
        for (int from = 0; from < values.length; from += chunk) {
            int to = Math.min(values.length, from + chunk);
            sample.add(
                    Arrays.copyOfRange(values, from, to),
                    Arrays.copyOfRange(isTrain, from, to),
                    to - from);
        }
        double[] sorted = sample.sorted();
        assertThat(sample.isEstimate()).isEqualTo(limit < values.length);
        return sorted;
    }
}
