package dev.medley.loop.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Json;
import dev.medley.base.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Alarms are as rare as promised where nothing changes, and come where something does. */
@Tag("property")
class MonitorTest {
    private static final int REFERENCE = 400;
    private static final int ROWS = 50;

    @Test
    void shouldMakeFairBets() {
        for (Bets kind : Bets.values()) {
            double priors = kind.list().stream().mapToDouble(Bet::prior).sum();
            assertThat(priors).isCloseTo(1, within(1e-12));
            for (Bet bet : kind.list()) {
                double mean = 0;
                for (int cell = 0; cell < RankCells.count(); cell++) {
                    int[] one = new int[RankCells.count()];
                    one[cell] = 1;
                    double width = RankCells.end(cell) - RankCells.begin(cell);
                    mean += width * Math.exp(bet.log(one));
                }
                assertThat(mean).as(kind + " " + bet.saying()).isCloseTo(1, within(1e-12));
            }
        }
    }

    @Test
    void shouldSpreadRanksEvenlyForTiesAndSmallReferences() {
        for (ToDoubleFunction<RandomGenerator> column :
                List.<ToDoubleFunction<RandomGenerator>>of(
                        RandomGenerator::nextGaussian,
                        r -> r.nextInt(3),
                        r -> r.nextDouble() < 0.9 ? 0 : r.nextExponential())) {
            int[] tenths = new int[10];
            for (int run = 0; run < 4000; run++) {
                RandomGenerator random = Seeds.generator(7, run);
                double[] reference =
                        random.doubles(15).map(d -> column.applyAsDouble(random)).toArray();
                NumberRanks ranks =
                        new NumberRanks(NumberReference.of(reference, run), new Draws(run, 0));
                for (int i = 0; i < 5; i++) {
                    tenths[(int) (10 * ranks.next(column.applyAsDouble(random)))]++;
                }
            }
            for (int tenth : tenths) {
                assertThat(tenth).isCloseTo(2000, within(200)); // Nearly 5 deviations.
            }
        }
    }

    @Test
    void shouldSpreadRanksOfCategoriesEvenly() {
        int[] places = new int[10];
        int[] rarities = new int[10];
        for (int run = 0; run < 2000; run++) {
            RandomGenerator random = Seeds.generator(8, run);
            CategoryRanks ranks =
                    new CategoryRanks(CategoryReference.of(skewed(random, 20)), new Draws(run, 0));
            for (String value : skewed(random, 5)) {
                CategoryRanks.Rank rank = ranks.next(value);
                places[(int) (10 * rank.place())]++;
                rarities[Math.min(9, (int) (10 * rank.rarity()))]++;
            }
        }
        for (int i = 0; i < 10; i++) {
            assertThat(places[i]).isCloseTo(1000, within(150));
            assertThat(rarities[i]).isCloseTo(1000, within(150));
        }
    }

    @Test
    void shouldAlarmRarelyWithoutAChange() {
        int alarms = 0;
        for (int stream = 0; stream < 100; stream++) {
            RandomGenerator random = Seeds.generator(9, stream);
            NumberMonitor numbers = numbers(random, stream);
            CategoryMonitor categories =
                    new CategoryMonitor(
                            CategoryReference.of(skewed(random, REFERENCE)), options(stream));
            boolean isAlarm = false;
            for (int window = 0; window < 30; window++) {
                isAlarm |= numbers.add(gaussians(random, ROWS, 0)).isAlarm();
                isAlarm |= categories.add(skewed(random, ROWS)).isAlarm();
            }
            alarms += isAlarm ? 1 : 0;
        }
        assertThat(alarms).isLessThanOrEqualTo(10); // Two columns of 5 % each.
    }

    @Test
    void shouldFindAShiftAfterAQuietTime() {
        for (int stream = 0; stream < 20; stream++) {
            RandomGenerator random = Seeds.generator(10, stream);
            NumberMonitor monitor = numbers(random, stream);
            Standing standing = null;
            for (int window = 1; window <= 40; window++) {
                standing = monitor.add(gaussians(random, ROWS, window > 20 ? 0.6 : 0));
            }
            assertThat(standing.isAlarm()).as(standing.why()).isTrue();
            assertThat(standing.alarmedAt()).isBetween(21L, 26L);
        }
    }

    @Test
    void shouldFindANewCategoryAndMissingValues() {
        RandomGenerator random = Seeds.generator(11);
        CategoryMonitor monitor =
                new CategoryMonitor(CategoryReference.of(even(random, REFERENCE)), options(1));
        List<String> window = new ArrayList<>(even(random, ROWS));
        for (int i = 0; i < 5; i++) {
            window.set(i, "new");
        }
        Standing standing = monitor.add(window);
        assertThat(standing.why()).contains("new or rare categories come more often");

        NumberMonitor numbers = numbers(random, 2);
        double[] some = gaussians(random, ROWS, 0);
        Arrays.fill(some, 0, 9, Double.NaN);
        assertThat(numbers.add(some).why()).contains("values are missing more often");
    }

    @Test
    void shouldBeSilentOnSortedAndEmptyWindows() {
        RandomGenerator random = Seeds.generator(12);
        NumberMonitor monitor = numbers(random, 3);
        for (int window = 0; window < 30; window++) {
            double[] sorted = gaussians(random, ROWS, 0);
            Arrays.sort(sorted);
            assertThat(monitor.add(sorted).isAlarm()).isFalse();
            assertThat(monitor.add(new double[0]).isAlarm()).isFalse();
        }
    }

    @Test
    void shouldBeSilentOnInfiniteValuesThatWereThereBefore() {
        RandomGenerator random = Seeds.generator(14);
        double[] before = gaussians(random, REFERENCE, 0);
        Arrays.fill(before, 0, REFERENCE / 10, Double.POSITIVE_INFINITY);
        NumberMonitor monitor = new NumberMonitor(NumberReference.of(before, 5), options(5));
        for (int window = 0; window < 30; window++) {
            double[] rows = gaussians(random, ROWS, 0);
            Arrays.fill(rows, 0, ROWS / 10, Double.POSITIVE_INFINITY);
            assertThat(monitor.add(rows).isAlarm()).isFalse();
        }
        double[] more = gaussians(random, ROWS, 0);
        Arrays.fill(more, 0, ROWS, Double.NEGATIVE_INFINITY);
        assertThat(monitor.add(more).why()).contains("values are missing more often");
    }

    @Test
    void shouldGoOnFromJsonAsIfNothingHadBeenBetween() {
        RandomGenerator random = Seeds.generator(13);
        NumberMonitor numbers = numbers(random, 4);
        CategoryMonitor categories =
                new CategoryMonitor(CategoryReference.of(skewed(random, REFERENCE)), options(4));
        for (int window = 0; window < 6; window++) {
            double[] rows = gaussians(random, ROWS, window > 2 ? 0.4 : 0);
            rows[0] = Double.NaN;
            List<String> labels = skewed(random, ROWS);
            NumberMonitor kept =
                    new NumberMonitor(
                            Json.parse(Json.bytes(numbers.state()), NumberMonitor.State.class));
            CategoryMonitor alsoKept =
                    new CategoryMonitor(
                            Json.parse(
                                    Json.bytes(categories.state()), CategoryMonitor.State.class));
            assertThat(kept.add(rows)).isEqualTo(numbers.add(rows));
            assertThat(kept.state()).isEqualTo(numbers.state());
            assertThat(alsoKept.add(labels)).isEqualTo(categories.add(labels));
            assertThat(alsoKept.state()).isEqualTo(categories.state());
        }
    }

    private static NumberMonitor numbers(RandomGenerator random, long seed) {
        return new NumberMonitor(
                NumberReference.of(gaussians(random, REFERENCE, 0), seed), options(seed));
    }

    private static MonitorOptions options(long seed) {
        return MonitorOptions.defaults().seeded(seed);
    }

    private static double[] gaussians(RandomGenerator random, int rows, double shift) {
        double[] values = new double[rows];
        Arrays.setAll(values, i -> random.nextGaussian() + shift);
        return values;
    }

    private static List<String> even(RandomGenerator random, int rows) {
        return random.ints(rows, 0, 5).mapToObj(i -> "c" + i).toList();
    }

    /** Twelve categories, each half as often as the one before. */
    private static List<String> skewed(RandomGenerator random, int rows) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            values.add("c" + Math.min(11, Long.numberOfTrailingZeros(random.nextLong())));
        }
        return values;
    }
}
