package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.plan.policy.WaterFilling.Vessel;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WaterFillingTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @Test
    @Tag("unit")
    void whatNoSharesCouldBeatShouldBeTheLevelOfAllTogether() {
        List<StepTime> both = List.of(new StepTime(10, 1), new StepTime(20, 2));
        assertThat(WaterFilling.leastNs(100, both)).isCloseTo((100 + 10 + 10) / 1.5, within(1e-9));
        assertThat(WaterFilling.leastNs(4, List.of(new StepTime(0, 1), new StepTime(9, 1))))
                .as("the second would be left out")
                .isZero();
        assertThat(WaterFilling.leastNs(9, List.of(new StepTime(0, 1), new StepTime(9, 1))))
                .as("or nearly")
                .isEqualTo(9);
    }

    @Test
    @Tag("unit")
    void aBatchThatFillsAllCapsShouldBeCut() {
        StepTime time = new StepTime(0, 1);
        assertThat(WaterFilling.split(10, List.of(new Vessel(time, 0, 4), new Vessel(time, 0, 6))))
                .containsExactly(4, 6);
    }

    /** Neither takes longer for more, so each would take its cap: 100 and 40, at least 10. */
    @Test
    @Tag("unit")
    void thoseWhoTakeNoLongerForMoreShouldGiveUpInProportion() {
        StepTime time = new StepTime(5, 0);
        assertThat(
                        WaterFilling.split(
                                100, List.of(new Vessel(time, 10, 100), new Vessel(time, 10, 40))))
                .containsExactly(10 + 60, 10 + 20);
    }

    /** 1.6, 5.2 and 3.2 of ten. */
    @Test
    @Tag("unit")
    void theLargestRemainderShouldGetTheLastSample() {
        List<Vessel> vessels =
                Stream.of(16, 52, 32)
                        .map(speed -> new Vessel(new StepTime(0, 1.0 / speed), 0, 10))
                        .toList();
        assertThat(WaterFilling.split(10, vessels)).containsExactly(2, 5, 3);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldCutTheWholeBatchWithinTheCaps(long seed) {
        Case drawn = Case.draw(seed);
        List<Integer> shares = drawn.split();
        assertThat(shares.stream().mapToInt(s -> s).sum()).isEqualTo(drawn.batch());
        for (int i = 0; i < shares.size(); i++) {
            assertThat(shares.get(i))
                    .isBetween(drawn.vessels().get(i).least(), drawn.vessels().get(i).cap());
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldNotBeBeatenByMovingSamples(long seed) {
        Case drawn = Case.draw(seed);
        List<Integer> shares = drawn.split();
        double longest = drawn.longestNs(shares);
        double oneSample =
                drawn.vessels().stream().mapToDouble(v -> v.time().betaNs()).max().orElse(0);
        RandomGenerator random = Seeds.generator(seed, 1);
        for (int trial = 0; trial < 50; trial++) {
            List<Integer> other = new ArrayList<>(shares);
            int from = random.nextInt(shares.size());
            int to = random.nextInt(shares.size());
            int room = drawn.vessels().get(to).cap() - shares.get(to);
            int spare = shares.get(from) - drawn.vessels().get(from).least();
            int moved = Math.min(room, random.nextInt(spare + 1));
            other.set(from, other.get(from) - moved);
            other.set(to, from == to ? shares.get(to) : other.get(to) + moved);
            assertThat(drawn.longestNs(other)).isGreaterThanOrEqualTo(longest - oneSample - 1e-6);
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldNeverGiveLessToTheFaster(long seed) {
        Case drawn = Case.draw(seed);
        List<Integer> shares = drawn.split();
        for (int a = 0; a < shares.size(); a++) {
            for (int b = 0; b < shares.size(); b++) {
                Vessel one = drawn.vessels().get(a);
                Vessel other = drawn.vessels().get(b);
                boolean isFaster =
                        one.time().alphaNs() <= other.time().alphaNs()
                                && one.time().betaNs() < other.time().betaNs()
                                && one.cap() >= other.cap()
                                && one.least() >= other.least();
                if (isFaster) {
                    assertThat(shares.get(a)).isGreaterThanOrEqualTo(shares.get(b));
                }
            }
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void noSharesShouldBeatWhatIsSaidToBeTheLeast(long seed) {
        Case drawn = Case.draw(seed);
        List<StepTime> times = drawn.vessels().stream().map(Vessel::time).toList();
        double leastNs = WaterFilling.leastNs(drawn.batch(), times);
        assertThat(leastNs).isLessThanOrEqualTo(drawn.longestNs(drawn.split()) * (1 + 1e-9));
        List<Vessel> open = times.stream().map(t -> new Vessel(t, 0, drawn.batch())).toList();
        if (leastNs > 0) {
            assertThat(leastNs)
                    .as("samples that can be cut")
                    .isCloseTo(WaterFilling.longestNs(drawn.batch(), open), withPercentage(1e-6));
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldPermuteWithTheWorkers(long seed) {
        Case drawn = Case.draw(seed);
        RandomGenerator random = Seeds.generator(seed, 2);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < drawn.vessels().size(); i++) {
            order.add(random.nextInt(i + 1), i);
        }
        List<Vessel> permuted = order.stream().map(drawn.vessels()::get).toList();
        List<Integer> shares = drawn.split();
        assertThat(WaterFilling.split(drawn.batch(), permuted))
                .isEqualTo(order.stream().map(shares::get).toList());
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldGiveEqualSharesToEqualMachines(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int workers = 1 + random.nextInt(9);
        int batch = 1 + random.nextInt(1000);
        Vessel one =
                new Vessel(new StepTime(random.nextDouble(1e7), random.nextDouble(1e6)), 0, batch);
        List<Integer> shares = WaterFilling.split(batch, Collections.nCopies(workers, one));
        assertThat(Collections.max(shares) - Collections.min(shares)).isLessThanOrEqualTo(1);
    }

    @Test
    @Tag("unit")
    void shouldFollowSpeedsExactlyWhereNothingElseCosts() {
        List<Vessel> vessels =
                List.of(vessel(0, 1, 256), vessel(0, 2, 256), vessel(0, 4, 256), vessel(0, 4, 256));
        assertThat(WaterFilling.split(256, vessels)).containsExactly(128, 64, 32, 32);
    }

    @Test
    @Tag("unit")
    void shouldLeaveOutWhoIsNotEvenReadyWhenTheOthersAreDone() {
        List<Vessel> vessels = List.of(vessel(0, 1, 100), vessel(0, 1, 100), vessel(500, 1, 100));
        assertThat(WaterFilling.split(100, vessels)).containsExactly(50, 50, 0);
    }

    @Test
    @Tag("unit")
    void shouldGiveTheRestToOthersWhereMemoryEnds() {
        assertThat(WaterFilling.split(100, List.of(vessel(0, 1, 30), vessel(0, 9, 100))))
                .containsExactly(30, 70);
        assertThatThrownBy(() -> WaterFilling.split(100, List.of(vessel(0, 1, 30))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("train.batch=100", "30 samples");
    }

    @Test
    @Tag("unit")
    void nothingShouldBeSaidOfTheLeastWhereItIsNotSimple() {
        StepTime usual = new StepTime(0, 1);
        assertThat(WaterFilling.leastNs(10, List.of(usual, usual))).isEqualTo(5);
        assertThat(WaterFilling.leastNs(10, List.of(usual, new StepTime(5, 0)))).isZero();
        assertThat(WaterFilling.leastNs(10, List.of(usual, new StepTime(0, 0)))).isZero();
        assertThat(WaterFilling.leastNs(10, List.of(usual, new StepTime(50, 1))))
                .as("the second is left out")
                .isZero();
    }

    private static Vessel vessel(double alpha, double beta, int cap) {
        return new Vessel(new StepTime(alpha, beta), 0, cap);
    }

    /** Workers drawn from a seed: unlike speeds, some with little memory. */
    private record Case(int batch, List<Vessel> vessels) {
        static Case draw(long seed) {
            RandomGenerator random = Seeds.generator(seed);
            int batch = 1 + random.nextInt(random.nextBoolean() ? 10 : 2000);
            int workers = 1 + random.nextInt(8);
            List<Vessel> vessels = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                double alpha = random.nextBoolean() ? 0 : random.nextDouble(5e7);
                double beta = 1e3 * Math.exp(random.nextDouble(8));
                int cap = i > 0 && random.nextInt(3) == 0 ? random.nextInt(batch + 1) : batch;
                int least = random.nextInt(1 + Math.min(cap, batch / workers));
                boolean isBound = random.nextInt(3) == 0;
                vessels.add(new Vessel(new StepTime(alpha, beta), isBound ? least : 0, cap));
            }
            return new Case(batch, vessels);
        }

        List<Integer> split() {
            return WaterFilling.split(batch, vessels);
        }

        double longestNs(List<Integer> shares) {
            double longest = 0;
            for (int i = 0; i < shares.size(); i++) {
                longest = Math.max(longest, vessels.get(i).time().predictNs(shares.get(i)));
            }
            return longest;
        }
    }
}
