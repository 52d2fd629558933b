package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.plan.source.BalancedPlan;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.plan.source.SharePlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of balanced shares in any group; what steps take is computed from drawn speeds. */
@Tag("property")
class BalancedSharesTest {
    private static final int STEPS = 120;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    /** A change gives nobody more than twice as much, or four more, or less than half. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldCutTheWholeBatchAndMoveEachShareABitAtATime(long seed) {
        Machines machines = Machines.draw(seed).cutting(anyBatch(seed));
        int batch = machines.batch();
        int least = batch >= machines.size() ? 1 : 0;
        List<List<Integer>> plans = machines.run(0.1, seed);
        for (int i = 0; i < plans.size(); i++) {
            List<Integer> shares = plans.get(i);
            assertThat(shares).hasSize(machines.size());
            assertThat(shares.stream().mapToInt(s -> s).sum()).isEqualTo(batch);
            assertThat(shares).allMatch(share -> share >= least && share <= batch);
            for (int rank = 0; i > 0 && rank < shares.size(); rank++) {
                int before = plans.get(i - 1).get(rank);
                assertThat(shares.get(rank))
                        .isBetween((before + 1) / 2, Math.max(before + 4, 2 * before));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void equalMachinesShouldKeepEqualShares(long seed) {
        Machines drawn = Machines.draw(seed);
        Machines alike =
                new Machines(
                        anyBatch(seed),
                        drawn.alphaNs(),
                        Collections.nCopies(drawn.size(), drawn.speeds().get(0)));
        for (List<Integer> shares : alike.run(0, seed)) {
            assertAlike(shares);
        }
        assertAlike(alike.tried());
    }

    private static void assertAlike(List<Integer> shares) {
        assertThat(Collections.max(shares) - Collections.min(shares)).isLessThanOrEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aFasterMachineShouldNeverEndWithLess(long seed) {
        Machines machines = Machines.draw(seed);
        List<Integer> found = machines.found(seed);
        List<Integer> tried = machines.tried();
        for (int a = 0; a < machines.size(); a++) {
            for (int b = 0; b < machines.size(); b++) {
                if (machines.speeds().get(a) > 1.2 * machines.speeds().get(b)) {
                    assertThat(found.get(a)).isGreaterThanOrEqualTo(found.get(b));
                    assertThat(tried.get(a)).isGreaterThanOrEqualTo(tried.get(b));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whoIsWhichRankShouldNotMatter(long seed) {
        Machines machines = Machines.draw(seed);
        RandomGenerator random = Seeds.generator(seed, 2);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < machines.size(); i++) {
            order.add(random.nextInt(i + 1), i);
        }
        Machines permuted = machines.in(order);
        List<Integer> found = machines.found(seed);
        List<Integer> foundThen = permuted.found(seed);
        List<Integer> tried = machines.tried();
        List<Integer> triedThen = permuted.tried();
        for (int i = 0; i < order.size(); i++) {
            assertThat(foundThen.get(i)).isCloseTo(found.get(order.get(i)), within(1));
            assertThat(triedThen.get(i)).isCloseTo(tried.get(order.get(i)), within(1));
        }
    }

    /** Hysteresis may leave a twentieth, and whole samples a little more. */
    @ParameterizedTest
    @MethodSource("seeds")
    void shouldComeCloseToTheBestThereIs(long seed) {
        Machines drawn = Machines.draw(seed);
        Machines machines = drawn.cutting(256 * drawn.size());
        double best = 1.1 * machines.bestNs();
        assertThat(machines.longestNs(machines.found(seed))).isLessThan(best);
        assertThat(machines.longestNs(machines.tried())).isLessThan(best);
    }

    /** Sometimes below the number of workers. */
    private static int anyBatch(long seed) {
        RandomGenerator random = Seeds.generator(seed, 3);
        return 1 + random.nextInt(random.nextBoolean() ? 20 : 2000);
    }

    /**
     * A group.
     *
     * @param batch samples of a step
     * @param alphaNs of a step without samples, at speed 1
     * @param speeds relative to a machine that makes 1,000 samples a second
     */
    private record Machines(int batch, double alphaNs, List<Double> speeds) {
        private static final double BETA_NS = 1e6;

        /** Their number divides the batch, so that all begin alike. */
        static Machines draw(long seed) {
            RandomGenerator random = Seeds.generator(seed);
            int workers = 1 + random.nextInt(9);
            int batch = workers * (8 + random.nextInt(57));
            double alphaNs = random.nextDouble(5e6);
            List<Double> speeds =
                    random.doubles(workers, -1.5, 1.5).map(Math::exp).boxed().toList();
            return new Machines(batch, alphaNs, speeds);
        }

        Machines cutting(int other) {
            return new Machines(other, alphaNs, speeds);
        }

        Machines in(List<Integer> order) {
            return new Machines(batch, alphaNs, order.stream().map(speeds::get).toList());
        }

        int size() {
            return speeds.size();
        }

        double stepNs(int rank, int share) {
            return (alphaNs + BETA_NS * share) / speeds.get(rank);
        }

        double longestNs(List<Integer> shares) {
            double longest = 0;
            for (int rank = 0; rank < size(); rank++) {
                longest = Math.max(longest, stepNs(rank, shares.get(rank)));
            }
            return longest;
        }

        /** If all were done at the same time. */
        double bestNs() {
            double speed = speeds.stream().mapToDouble(s -> s).sum();
            return (BETA_NS * batch + size() * alphaNs) / speed;
        }

        /** The shares of a group of which each member has tried two before it came. */
        List<Integer> tried() {
            BalancedPlan source = source();
            for (int rank = 0; rank < size(); rank++) {
                source.joins(new WorkerId(rank + 1), List.of(alone(rank, 16), alone(rank, 64)));
            }
            return source.plan(Groups.of(1, size()), 1, 0).shares();
        }

        private Measured alone(int rank, int share) {
            return Measured.alone(share, (long) stepNs(rank, share));
        }

        /** The last shares of a run whose steps take what they should. */
        List<Integer> found(long seed) {
            List<List<Integer>> plans = run(0, seed);
            return plans.get(plans.size() - 1);
        }

        /** The shares of each plan of a run. */
        List<List<Integer>> run(double noise, long seed) {
            RandomGenerator random = Seeds.generator(seed, 1);
            BalancedPlan source = source();
            Plan plan = source.plan(Groups.of(1, size()), 1, 0);
            List<List<Integer>> plans = new ArrayList<>();
            plans.add(plan.shares());
            for (int step = 1; step <= STEPS; step++) {
                Map<WorkerId, Measured> measured = new HashMap<>();
                for (int rank = 0; rank < size(); rank++) {
                    int share = plan.shares().get(rank);
                    double times = 1 + noise * (2 * random.nextDouble() - 1);
                    long ns = (long) (times * stepNs(rank, share));
                    measured.put(new WorkerId(rank + 1), Measured.alone(share, ns));
                }
                source.stepped(step, measured);
                if (source.wish(step) != null) {
                    int version = plans.size() + 1;
                    plan = source.plan(Groups.of(version, size()), version, step);
                    plans.add(plan.shares());
                }
            }
            return plans;
        }

        private BalancedPlan source() {
            return new BalancedPlan(
                    new SharePlan(batch, 1, List.of()), Balance.of(batch), Long.MAX_VALUE);
        }
    }
}
