package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.plan.policy.Balance.Decision;
import dev.medley.plan.policy.Balance.Measured;
import dev.medley.plan.source.SharePlan;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every decision on shares, in drawn groups. */
@Tag("property")
class BalanceBoundsTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldCutTheWholeBatchAndMoveEachShareABitAtATime(long seed) {
        Case drawn = Case.draw(seed);
        Measured now = drawn.now();
        Decision decision = drawn.decide();
        assertThat(decision.shares().stream().mapToInt(s -> s).sum()).isEqualTo(drawn.batch());
        for (int rank = 0; rank < now.shares().size(); rank++) {
            int share = now.shares().get(rank);
            int most = Math.min(now.caps().get(rank), Math.max(share + 4, 2 * share));
            assertThat(decision.shares().get(rank)).isBetween((share + 1) / 2, most);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldChangeForWhatIsWorthItAlone(long seed) {
        Case drawn = Case.draw(seed);
        Measured now = drawn.now();
        Decision decision = drawn.decide();
        if (decision.isChange()) {
            double goalNs = longestNs(goal(drawn), now.times());
            double presentNs = longestNs(now.shares(), now.times());
            double savedNs = presentNs - goalNs;
            assertThat(longestNs(decision.shares(), now.times())).isLessThan(presentNs);
            assertThat(savedNs).isGreaterThan(0.05 * (goalNs + now.idleNs()) + 2.3 * now.errorNs());
            assertThat(savedNs * (double) now.stepsLeft()).isGreaterThan(1e8);
        } else {
            assertThat(decision.shares()).isEqualTo(now.shares());
        }
    }

    /** What is not looked at, since no shares could be worth it, would not have been. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldChangeForAllThatIsWorthIt(long seed) {
        Case drawn = Case.draw(seed);
        Measured now = drawn.now();
        double goalNs = longestNs(goal(drawn), now.times());
        double presentNs = longestNs(now.shares(), now.times());
        double savedNs = presentNs - goalNs;
        boolean isWorthIt =
                longestNs(first(drawn), now.times()) < presentNs
                        && savedNs > 0.05 * (goalNs + now.idleNs()) + 2.3 * now.errorNs()
                        && savedNs * (double) now.stepsLeft() > 1e8;
        assertThat(drawn.decide().isChange()).isEqualTo(isWorthIt);
    }

    /** What changes lead to by which nobody loses more than half. */
    private static List<Integer> goal(Case drawn) {
        return split(drawn, share -> drawn.batch());
    }

    /** What one change may give. */
    private static List<Integer> first(Case drawn) {
        return split(drawn, share -> Math.max(share + 4, 2 * share));
    }

    private static List<Integer> split(Case drawn, IntUnaryOperator most) {
        Measured now = drawn.now();
        return WaterFilling.split(
                drawn.batch(),
                IntStream.range(0, now.times().size())
                        .mapToObj(
                                i -> {
                                    int share = now.shares().get(i);
                                    int cap = Math.min(now.caps().get(i), most.applyAsInt(share));
                                    int least = Math.min(cap, (share + 1) / 2);
                                    return new WaterFilling.Vessel(now.times().get(i), least, cap);
                                })
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldPermuteWithTheWorkers(long seed) {
        Case drawn = Case.draw(seed);
        RandomGenerator random = Seeds.generator(seed, 2);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < drawn.now().shares().size(); i++) {
            order.add(random.nextInt(i + 1), i);
        }
        Decision decision = drawn.decide();
        Decision permuted = drawn.in(order).decide();
        assertThat(permuted.isChange()).isEqualTo(decision.isChange());
        assertThat(permuted.shares())
                .isEqualTo(order.stream().map(decision.shares()::get).toList());
    }

    /** However uneven shares are, by halves and doubles each worker gets back what it can do. */
    @ParameterizedTest
    @MethodSource("seeds")
    void againAndAgainItShouldComeToWithinATwentiethOfTheBest(long seed) {
        Case drawn = Case.draw(seed);
        List<StepTime> times = drawn.now().times();
        int workers = times.size();
        int batch = workers * (16 + Seeds.generator(seed, 3).nextInt(113));
        Balance policy = Balance.of(batch);
        List<Double> weights = Seeds.generator(seed, 4).doubles(workers, 0.01, 1).boxed().toList();
        List<Integer> shares = SharePlan.split(batch, weights);
        Decision decision = policy.decide(sure(shares, times));
        for (int changes = 0; decision.isChange(); changes++) {
            assertThat(changes).as("ends").isLessThan(20);
            shares = decision.shares();
            decision = policy.decide(sure(shares, times));
        }
        List<Integer> best =
                WaterFilling.split(
                        batch,
                        times.stream().map(t -> new WaterFilling.Vessel(t, 1, batch)).toList());
        assertThat(longestNs(shares, times)).isLessThan(1.06 * longestNs(best, times));
    }

    private static Measured sure(List<Integer> shares, List<StepTime> times) {
        int batch = shares.stream().mapToInt(s -> s).sum();
        List<Integer> caps = Collections.nCopies(shares.size(), batch);
        return new Measured(names(shares.size()), shares, times, caps, 0, 0, Integer.MAX_VALUE, 0);
    }

    private static List<String> names(int workers) {
        return IntStream.rangeClosed(1, workers).mapToObj(i -> "worker-" + i).toList();
    }

    private static double longestNs(List<Integer> shares, List<StepTime> times) {
        return IntStream.range(0, shares.size())
                .mapToDouble(i -> times.get(i).predictNs(shares.get(i)))
                .max()
                .orElse(0);
    }

    /** A group drawn from a seed: unlike speeds, shares of any kind, some with little memory. */
    private record Case(int batch, Measured now) {
        static Case draw(long seed) {
            RandomGenerator random = Seeds.generator(seed);
            int workers = 1 + random.nextInt(9);
            int batch = 1 + random.nextInt(random.nextBoolean() ? 20 : 2000);
            List<Double> wanted = random.doubles(workers, 0.1, 1).boxed().toList();
            List<Integer> shares = SharePlan.split(batch, wanted);
            List<StepTime> times = new ArrayList<>();
            List<Integer> caps = new ArrayList<>();
            for (int share : shares) {
                double alphaNs = random.nextBoolean() ? 0 : random.nextDouble(3e6);
                times.add(new StepTime(alphaNs, 1e6 * Math.exp(random.nextDouble(-1.5, 1.5))));
                int room = random.nextInt(3) == 0 ? random.nextInt(batch - share + 1) : batch;
                caps.add(Math.min(batch, share + room));
            }
            double errorNs = random.nextBoolean() ? 0 : random.nextDouble(1e7);
            double idleNs = random.nextBoolean() ? 0 : random.nextDouble(1e8);
            long stepsLeft = 1 + random.nextInt(10_000);
            double changeNs = random.nextBoolean() ? 0 : random.nextDouble(1e10);
            return new Case(
                    batch,
                    new Measured(
                            names(workers),
                            shares,
                            times,
                            caps,
                            errorNs,
                            idleNs,
                            stepsLeft,
                            changeNs));
        }

        Case in(List<Integer> order) {
            return new Case(
                    batch,
                    new Measured(
                            order.stream().map(now.names()::get).toList(),
                            order.stream().map(now.shares()::get).toList(),
                            order.stream().map(now.times()::get).toList(),
                            order.stream().map(now.caps()::get).toList(),
                            now.errorNs(),
                            now.idleNs(),
                            now.stepsLeft(),
                            now.changeNs()));
        }

        Decision decide() {
            return Balance.of(batch).decide(now);
        }
    }
}
