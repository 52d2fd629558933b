package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NormalizedAveragingTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @Test
    @Tag("unit")
    void shouldBeFedNovaForFiguresComputedByHand() {
        // p = (3/4, 1/4), tau = 3/4 * 6 + 1/4 * 2 = 5, D = 5 (3/4 * 12/6 + 1/4 * 8/2) = 12.5
        assertThat(mean(List.of(12.0, 8.0), List.of(30.0, 10.0), List.of(6, 2)))
                .isCloseTo(12.5, within(1e-12));
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldBeThePlainMeanForEqualSteps(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int ranks = 1 + random.nextInt(6);
        List<Double> weights = draws(ranks, random);
        List<Double> changes = draws(ranks, random);
        double total = weights.stream().mapToDouble(w -> w).sum();
        double plain =
                IntStream.range(0, ranks).mapToDouble(i -> weights.get(i) * changes.get(i)).sum();
        List<Integer> steps = Collections.nCopies(ranks, 1 + random.nextInt(99));
        assertThat(mean(changes, weights, steps)).isCloseTo(plain / total, within(1e-12));
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldFavourNobodyWhoTookMoreSteps(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        // Two pull apart by as much a step: with equal weights nothing moves, whoever took more.
        List<Integer> steps = List.of(1 + random.nextInt(50), 1 + random.nextInt(50));
        List<Double> changes = List.of(0.1 * steps.get(0), -0.1 * steps.get(1));
        assertThat(mean(changes, List.of(7.0, 7.0), steps)).isCloseTo(0, within(1e-12));
    }

    @Test
    @Tag("unit")
    void whoHasNoSamplesShouldNotCount() {
        assertThat(mean(List.of(4.0, 99.0), List.of(8.0, 0.0), List.of(3, 1)))
                .isCloseTo(4, within(1e-12));
        assertThat(NormalizedAveraging.divisor(List.of(0.0, 0.0), List.of(1, 1))).isNaN();
    }

    private static double mean(List<Double> changes, List<Double> weights, List<Integer> steps) {
        double sum = 0;
        for (int i = 0; i < changes.size(); i++) {
            sum += changes.get(i) * NormalizedAveraging.factor(weights.get(i), steps.get(i));
        }
        return sum / NormalizedAveraging.divisor(weights, steps);
    }

    private static List<Double> draws(int count, RandomGenerator random) {
        return random.doubles(count, 0.1, 9).boxed().toList();
    }
}
