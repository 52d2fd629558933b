package dev.medley.fleet.assignment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Assignments beside each other, and beside all that could be. */
@Tag("property")
class AssignmentTest {
    static java.util.stream.LongStream seeds() {
        return java.util.stream.LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    private record Drawn(double[][] weights, int[] machines) {
        static Drawn of(long seed) {
            RandomGenerator random = Seeds.generator(seed, 11);
            int types = 1 + random.nextInt(4);
            int[] machines = new int[types];
            for (int type = 0; type < types; type++) {
                machines[type] = random.nextInt(5);
            }
            double[][] weights = new double[1 + random.nextInt(14)][types];
            for (double[] row : weights) {
                for (int type = 0; type < types; type++) {
                    // Few values, so that there are ties; some jobs do not fit.
                    row[type] = random.nextInt(6) / 2.0;
                }
            }
            return new Drawn(weights, machines);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldReachTheBestSumWithinTheMachines(long seed) {
        for (int round = 0; round < 40; round++) {
            Drawn drawn = Drawn.of(1000 * seed + round);
            int[] typeOf = TypeAssignment.maximum(drawn.weights(), drawn.machines());
            assertThat(sum(drawn, typeOf)).isCloseTo(byHungarian(drawn), within(1e-9));
        }
    }

    private static double sum(Drawn drawn, int[] typeOf) {
        int[] used = new int[drawn.machines().length];
        double sum = 0;
        for (int job = 0; job < typeOf.length; job++) {
            if (typeOf[job] != TypeAssignment.IDLE) {
                used[typeOf[job]]++;
                assertThat(drawn.weights()[job][typeOf[job]]).isPositive();
                sum += drawn.weights()[job][typeOf[job]];
            }
        }
        for (int type = 0; type < used.length; type++) {
            assertThat(used[type]).isLessThanOrEqualTo(drawn.machines()[type]);
        }
        return sum;
    }

    /** A column for each machine, and one for each job to be idle. */
    private static double byHungarian(Drawn drawn) {
        int jobs = drawn.weights().length;
        int machines = Arrays.stream(drawn.machines()).sum();
        double[][] cost = new double[jobs][machines + jobs];
        for (int job = 0; job < jobs; job++) {
            int column = 0;
            for (int type = 0; type < drawn.machines().length; type++) {
                for (int i = 0; i < drawn.machines()[type]; i++) {
                    cost[job][column++] = -drawn.weights()[job][type];
                }
            }
        }
        int[] columnOf = Hungarian.minimum(cost);
        double sum = 0;
        for (int job = 0; job < jobs; job++) {
            sum -= cost[job][columnOf[job]];
        }
        return sum;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldGiveGangsWhatTheyNeedAndLittleLessThanTheBest(long seed) {
        double found = 0;
        double best = 0;
        for (int round = 0; round < 20; round++) {
            Drawn drawn = Drawn.of(500_000 + 1000 * seed + round);
            RandomGenerator random = Seeds.generator(seed, 12, round);
            int jobs = Math.min(6, drawn.weights().length);
            double[][] weights = Arrays.copyOf(drawn.weights(), jobs);
            int[] workers = new int[jobs];
            for (int job = 0; job < jobs; job++) {
                workers[job] = 1 << random.nextInt(3);
            }
            int[] typeOf = GangAssignment.maximum(weights, workers, drawn.machines());
            int[] left = drawn.machines().clone();
            for (int job = 0; job < jobs; job++) {
                if (typeOf[job] != TypeAssignment.IDLE) {
                    left[typeOf[job]] -= workers[job];
                    found += weights[job][typeOf[job]];
                }
            }
            assertThat(Arrays.stream(left).min().orElse(0)).isNotNegative();
            best += byTrying(weights, workers, drawn.machines().clone(), 0);
        }
        assertThat(found).isBetween(0.85 * best, best + 1e-9);
    }

    private static double byTrying(double[][] weights, int[] workers, int[] left, int job) {
        if (job == weights.length) {
            return 0;
        }
        double best = byTrying(weights, workers, left, job + 1);
        for (int type = 0; type < left.length; type++) {
            if (weights[job][type] > 0 && left[type] >= workers[job]) {
                left[type] -= workers[job];
                best =
                        Math.max(
                                best,
                                weights[job][type] + byTrying(weights, workers, left, job + 1));
                left[type] += workers[job];
            }
        }
        return best;
    }

    @Test
    void shouldRefuseMoreRowsThanColumns() {
        assertThat(Hungarian.minimum(new double[0][])).isEmpty();
        org.assertj.core.api.Assertions.assertThatIllegalArgumentException()
                .isThrownBy(() -> Hungarian.minimum(new double[2][1]));
    }
}
