package dev.medley.fleet.policy.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.fleet.policy.share.ShareProgramme.Need;
import dev.medley.fleet.policy.share.ShareProgramme.Row;
import dev.medley.fleet.view.MachineType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Shares are possible, as good as can be, and the same whether or not equal jobs are put together.
 */
@Tag("property")
class ShareProgrammeTest {
    private static final int VIEWS = 200;

    /** What rounding leaves of the level near the end, where rooms are 1e-9. */
    private static final double LEVEL = 1e-7;

    private static final double SHARE = 1e-5;

    @Test
    void shouldReachTheExactOptimumOfTwoTypes() {
        for (int seed = 0; seed < VIEWS; seed++) {
            RandomGenerator random = Seeds.generator(seed, 11);
            List<MachineType> types = types(random, 2);
            Row[] rows = rows(random, 2, 1 + random.nextInt(60));
            double level = level(rows, ShareProgramme.solve(types, rows));
            double best = best(types, rows);
            assertThat(level).as("seed %d", seed).isBetween(best * (1 - 1e-6), best + 1e-9);
        }
    }

    @Test
    void shouldGiveEqualJobsWhatEachWouldHaveByItself() {
        for (int seed = 0; seed < VIEWS; seed++) {
            RandomGenerator random = Seeds.generator(seed, 12);
            int count = 1 + random.nextInt(5);
            List<MachineType> types = types(random, count);
            Row[] rows = rows(random, count, 1 + random.nextInt(40));
            double[][] together = ShareProgramme.solve(types, rows);
            double[][] apart = ShareProgramme.solve(types, apart(rows));
            double level = level(rows, apart);
            assertThat(level(rows, together))
                    .as("seed %d", seed)
                    .isCloseTo(level, within(LEVEL * level));
            for (int i = 0; i < rows.length; i++) {
                assertThat(together[i])
                        .as("seed %d", seed)
                        .containsExactly(apart[i], within(SHARE));
            }
            requirePossible(types, rows, together);
        }
    }

    private static void requirePossible(List<MachineType> types, Row[] rows, double[][] x) {
        double[] used = new double[types.size()];
        for (int i = 0; i < rows.length; i++) {
            assertThat(Arrays.stream(x[i]).sum()).isLessThanOrEqualTo(1);
            for (int type = 0; type < used.length; type++) {
                assertThat(x[i][type]).isNotNegative();
                used[type] += x[i][type] * rows[i].workers();
            }
        }
        for (int type = 0; type < used.length; type++) {
            assertThat(used[type]).isLessThanOrEqualTo(types.get(type).machines() + 1e-5);
        }
    }

    private static List<MachineType> types(RandomGenerator random, int count) {
        List<MachineType> types = new ArrayList<>();
        for (int type = 0; type < count; type++) {
            types.add(MachineType.of("type" + type, 1 + random.nextInt(50)));
        }
        return types;
    }

    /** Jobs of few kinds, so that many are equal. */
    private static Row[] rows(RandomGenerator random, int types, int jobs) {
        Row[] kinds = new Row[1 + random.nextInt(12)];
        for (int kind = 0; kind < kinds.length; kind++) {
            double[] gain = random.doubles(types).map(drawn -> Math.exp(2 * drawn)).toArray();
            kinds[kind] = new Row(gain, 1 + random.nextInt(4), Need.SAME);
        }
        Row[] rows = new Row[jobs];
        Arrays.setAll(rows, i -> kinds[random.nextInt(kinds.length)]);
        return rows;
    }

    /** The same rows, of which no two are known to be equal. */
    private static Row[] apart(Row[] rows) {
        return Arrays.stream(rows)
                .map(row -> new Row(row.gain(), row.workers(), new Linear()))
                .toArray(Row[]::new);
    }

    private static final class Linear implements Need {
        @Override
        public double at(double level) {
            return level;
        }

        @Override
        public double slope(double level) {
            return 1;
        }

        @Override
        public double curvature(double level) {
            return 0;
        }
    }

    private static double level(Row[] rows, double[][] shares) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < rows.length; i++) {
            double[] gain = rows[i].gain();
            double sum = 0;
            for (int type = 0; type < gain.length; type++) {
                sum += gain[type] * shares[i][type];
            }
            least = Math.min(least, sum);
        }
        return least;
    }

    /** The highest level of two types, by halving. */
    private static double best(List<MachineType> types, Row[] rows) {
        double low = 0;
        double high = 100;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (isPossible(types, rows, middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * Whether all jobs reach a level: each gets what it needs at least of the first type, and the
     * rest of that goes to whom it saves most of the second one.
     */
    private static boolean isPossible(List<MachineType> types, Row[] rows, double level) {
        double first = types.get(0).machines();
        double second = types.get(1).machines();
        List<double[]> more = new ArrayList<>();
        for (Row row : rows) {
            double a = row.gain()[0];
            double b = row.gain()[1];
            // a x + b y = level, x + y <= 1.
            double most = Math.min(1, level / a);
            double least = 0;
            if (level > b) {
                if (level > a) {
                    return false;
                }
                least = (level - b) / (a - b);
            } else if (level > a) {
                most = (b - level) / (b - a);
            }
            first -= least * row.workers();
            second -= (level - a * least) / b * row.workers();
            more.add(new double[] {a / b, (most - least) * row.workers()});
        }
        more.sort(Comparator.comparingDouble(one -> -one[0]));
        for (double[] one : more) {
            double taken = Math.min(Math.max(0, first), one[1]);
            first -= taken;
            second += taken * one[0];
        }
        return first >= 0 && second >= 0;
    }
}
