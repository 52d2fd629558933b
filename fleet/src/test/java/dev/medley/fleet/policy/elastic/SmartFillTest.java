package dev.medley.fleet.policy.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class SmartFillTest {
    private static double[] power(int workers, double p) {
        double[] speeds = new double[workers + 1];
        for (int k = 1; k <= workers; k++) {
            speeds[k] = Math.pow(k, p);
        }
        return speeds;
    }

    private static int[] shares(List<double[]> speeds, int workers) {
        double[] prices = SmartFill.prices(speeds, workers);
        List<double[]> values = new ArrayList<>();
        for (int i = 0; i < prices.length; i++) {
            double price = prices[i];
            values.add(Arrays.stream(speeds.get(i)).map(speed -> price * speed).toArray());
        }
        return SmartFill.split(values, workers);
    }

    /**
     * heSRPT, theorem 1: the i-th of those that end last has (i/m)^(1/(1-p)) less the one before.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.5, 0.8})
    void shouldGiveTheSharesOfHesrptForPowersOfTheWorkers(double p) {
        int workers = 1000;
        int jobs = 5;
        int[] shares = shares(java.util.Collections.nCopies(jobs, power(workers, p)), workers);
        for (int i = 1; i <= jobs; i++) {
            double share =
                    Math.pow((double) i / jobs, 1 / (1 - p))
                            - Math.pow((i - 1.0) / jobs, 1 / (1 - p));
            assertThat(shares[i - 1]).isCloseTo((int) Math.round(share * workers), within(2));
        }
    }

    @Test
    void shouldGiveAllToTheShortestJobWhereSpeedsAreLinear() {
        double[] linear = power(8, 1);
        assertThat(shares(List.of(linear, linear, linear), 8)).containsExactly(0, 0, 8);
        assertThat(SmartFill.prices(List.of(linear, linear, linear), 8))
                .containsExactly(new double[] {1.0 / 8, 2.0 / 8, 3.0 / 8}, within(1e-12));
    }

    @Test
    void shouldLeaveWorkersIdleThatHelpNobody() {
        double[] one = {0, 1, 1, 1, 1};
        assertThat(shares(List.of(one, one), 4)).containsExactly(1, 1);
    }

    @Test
    void shouldNotGiveCountsThatCannotBeGiven() {
        double[] pairs = {0, 0, 3, 0, 4};
        assertThat(shares(List.of(pairs, pairs), 3))
                .satisfies(s -> assertThat(s[0] + s[1]).isEqualTo(2));
    }

    static LongStream seeds() {
        return LongStream.range(0, 60);
    }

    /** Two jobs: the best of all splits while both run, then all that helps for the other. */
    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldPriceTwoJobsAsTheBestOfAllSplits(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int workers = 1 + random.nextInt(6);
        double[] speeds = new double[workers + 1];
        double gain = 1;
        for (int k = 1; k <= workers; k++) {
            speeds[k] = speeds[k - 1] + gain;
            gain *= random.nextDouble();
        }
        double small = random.nextDouble();
        double large = small + 5 + random.nextDouble();
        double best = Double.POSITIVE_INFINITY;
        for (int k = 1; k <= workers; k++) {
            double firstS = small / speeds[k];
            double left = large - firstS * speeds[workers - k];
            if (left >= 0) {
                best = Math.min(best, 2 * firstS + left / speeds[workers]);
            }
        }
        double[] prices = SmartFill.prices(List.of(speeds, speeds), workers);
        assertThat(prices[0] * large + prices[1] * small).isCloseTo(best, within(1e-9));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldNeverSplitMoreThanThereIs(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int workers = random.nextInt(12);
        List<double[]> values = new ArrayList<>();
        for (int job = random.nextInt(6); job >= 0; job--) {
            double[] of = random.doubles(workers + 1, -0.3, 1).toArray();
            values.add(of);
        }
        int[] shares = SmartFill.split(values, workers);
        assertThat(Arrays.stream(shares).sum()).isLessThanOrEqualTo(workers);
        for (int i = 0; i < shares.length; i++) {
            assertThat(shares[i] == 0 || values.get(i)[shares[i]] > 0).isTrue();
        }
    }
}
