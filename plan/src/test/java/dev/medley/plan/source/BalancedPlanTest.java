package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Balance;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.source.PlanSource.Measured;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run without workers: what steps take is computed from speeds and drawn noise. */
class BalancedPlanTest {
    private static final int BATCH = 256;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    /** Four machines at 100, 50, 25 and 25 percent. */
    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void shouldComeCloseToTheSumOfTheSpeeds(long seed) {
        World world = new World(seed, 0.05, 1, 0.5, 0.25, 0.25);
        world.steps(120);
        assertThat(world.plannedStepNs()).isLessThan(1.12 * world.idealStepNs());
        assertThat(world.plans).as("hardly any change after the first").hasSizeBetween(2, 5);
    }

    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void shouldFitWithinTwentyStepsWhenAMachineIsHalved(long seed) {
        World world = new World(seed, 0.05, 1, 1, 0.5);
        world.steps(60);
        world.speeds[0] = 0.5;
        world.steps(20);
        assertThat(world.plannedStepNs()).isLessThan(1.12 * world.idealStepNs());
    }

    /** It is told, and need not be found out: the next plan fits, without any step between. */
    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void shouldFitAtOnceWhenItIsToldThatAMachineIsResized(long seed) {
        World world = new World(seed, 0.05, 1, 1, 0.5);
        world.steps(60);
        double faster = seed % 2 == 0 ? 0.25 : 2;
        world.speeds[0] *= faster;
        String words = world.source.resized(new WorkerId(1), Groups.kind("resized"), faster);
        assertThat(words).isEqualTo("shares follow");
        world.plan = world.form();
        assertThat(world.plannedStepNs()).isLessThan(1.12 * world.idealStepNs());
        assertThat(world.plan.why())
                .contains("; worker-1 is taken for %.2f times as fast as it was".formatted(faster));
        world.steps(20);
        assertThat(world.plannedStepNs()).isLessThan(1.12 * world.idealStepNs());
        assertThat(world.form().why()).doesNotContain("is taken for");
    }

    /** Twice the cores are seldom twice as fast: a few steps say what they are. */
    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void shouldFitWithinTwentyStepsWhenMoreCoresAreOfNoUse(long seed) {
        World world = new World(seed, 0.05, 1, 1, 0.5);
        world.steps(60);
        world.source.resized(new WorkerId(1), Groups.kind("resized"), 4);
        world.plan = world.form();
        world.steps(20);
        assertThat(world.plannedStepNs()).isLessThan(1.12 * world.idealStepNs());
    }

    /** Just as shares have changed, so that each that the slow machine takes is new to the plan. */
    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void shouldFitWithinTwentyStepsWhenAMachineSlowsDownAsSharesChange(long seed) {
        BalancedPlan source =
                new BalancedPlan(
                        new SharePlan(BATCH, 1, List.of()), Balance.of(BATCH), Long.MAX_VALUE);
        source.joins(new WorkerId(1), List.of(tried(32, 1), tried(128, 1)));
        source.joins(new WorkerId(2), List.of(tried(32, 1), tried(128, 1)));
        World world = new World(seed, 0.05, source, 1, 1);
        world.speeds[(int) (seed % 2)] = 0.8;
        world.steps(6);
        world.speeds[(int) (seed % 2)] = 1;
        world.steps(2);
        world.speeds[0] = 1 / 3.0;
        world.steps(20);
        assertThat(world.plannedStepNs()).isLessThan(1.25 * world.idealStepNs());
    }

    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void shouldLeaveEqualMachinesAloneHoweverTheyJitter(long seed) {
        World world = new World(seed, 0.3, 1, 1);
        world.steps(400);
        assertThat(world.plans)
                .as("one false alarm and its correction at most, in 400 steps")
                .hasSizeLessThanOrEqualTo(3);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldKeepFoundSharesUnderStationaryNoise(long seed) {
        World world = new World(seed, 0.1, 1, 0.6, 0.4);
        world.steps(60);
        int found = world.plans.size();
        world.steps(500);
        assertThat(world.plans).hasSizeLessThanOrEqualTo(found + 2);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void roundsShouldChangeSoonWhenAMachineIsHalved(long seed) {
        World world =
                new World(
                        seed,
                        0.03,
                        BalancedPlan.of(new SharePlan(BATCH, 1, List.of()), 64, 100_000),
                        1,
                        1);
        world.pauseTimes = 1.25; // In one batch of eight.
        world.steps(10);
        world.speeds[0] = 0.5;
        List<Integer> before = world.plan.shares();
        world.pauseTimes = 1; // Two that agree are needed; a pause in one of them costs one more.
        world.steps(3);
        assertThat(world.plan.shares().get(0)).isLessThan(before.get(0) * 9 / 10);
        world.steps(6);
        assertThat(world.plannedStepNs()).isLessThan(1.25 * world.idealStepNs());
    }

    /** Code is compiled in the first rounds, most slowly on the slowest machine. */
    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void roundsShouldForgetTheirSlowBeginning(long seed) {
        World world =
                new World(
                        seed,
                        0.03,
                        BalancedPlan.of(new SharePlan(BATCH, 1, List.of()), 64, 100_000),
                        1,
                        0.5,
                        0.15);
        world.pauseTimes = 1.1;
        world.source.joins(new WorkerId(3), List.of(tried(20, 12), tried(40, 12)));
        world.speeds[2] = 0.09;
        world.steps(1);
        world.speeds[2] = 0.12;
        world.steps(1);
        world.speeds[2] = 0.15;
        world.steps(6);
        assertThat(world.plannedStepNs()).isLessThan(1.13 * world.idealStepNs());
        int found = world.plans.size();
        world.steps(40);
        assertThat(world.plans).as("then shares hardly change").hasSizeLessThanOrEqualTo(found + 5);
    }

    /** A tried speed is worth more than rounds in which code is compiled; later ones count. */
    @Test
    @Tag("unit")
    void firstRoundsShouldNotOverruleWhatWasTried() {
        BalancedPlan source = BalancedPlan.of(new SharePlan(BATCH, 1, List.of()), 64, 1000);
        source.joins(new WorkerId(1), List.of(tried(128, 1)));
        source.joins(new WorkerId(2), List.of(tried(128, 1)));
        assertThat(source.plan(Groups.of(1, 2), 1, 0).shares()).containsExactly(128, 128);
        for (int round = 1; round <= 3; round++) {
            source.stepped(round, roundOf(1, 3));
            assertThat(source.wish(round)).as("round %d", round).isNull();
        }
        for (int round = 4; round <= 6; round++) {
            source.stepped(round, roundOf(1, 1));
            assertThat(source.wish(round)).as("round %d", round).isNull();
        }
        source.stepped(7, roundOf(1, 3));
        assertThat(source.wish(7)).as("one may be a pause").isNull();
        source.stepped(8, roundOf(1, 3));
        assertThat(source.wish(8)).contains("shares change");
    }

    /** Two observations of three steps each, however much is known from before. */
    @Test
    @Tag("unit")
    void aNewPlanShouldBeSeenBeforeTheNext() {
        World world = new World(1, 0, 1, 0.05);
        world.pauseTimes = 1;
        world.stepsUntilAWish();
        world.plan = world.form();
        for (int step = 1; step < 6; step++) {
            world.takeStep(1);
            assertThat(world.source.wish(world.step)).as("step %d", step).isNull();
        }
        world.takeStep(1);
        assertThat(world.source.wish(world.step)).contains("shares change");
    }

    private static Map<WorkerId, Measured> roundOf(double one, double other) {
        return Map.of(new WorkerId(1), tried(128, one), new WorkerId(2), tried(128, other));
    }

    @Test
    @Tag("unit")
    void aStragglerShouldGetLessAtOnceAndAPauseShouldNot() {
        World world =
                new World(
                        1,
                        0.02,
                        new BalancedPlan(
                                        new SharePlan(BATCH, 1, List.of()),
                                        Balance.of(BATCH),
                                        100_000)
                                .shrinking(3),
                        1,
                        1);
        world.steps(20);
        for (int pause = 0; pause < 5; pause++) {
            world.speeds[0] = 0.1;
            world.steps(1);
            world.speeds[0] = 1;
            world.steps(9);
        }
        assertThat(world.plans).as("single late steps").hasSize(1);
        world.speeds[0] = 0.1;
        world.steps(3);
        assertThat(world.plans).hasSize(2);
        assertThat(world.plans.get(1).get(0)).isBetween(15, 40);
        assertThat(world.plan.why()).contains("worker-1 took", "times as long as usual", "at once");
    }

    @Test
    @Tag("unit")
    void shouldTakeANewcomerForAsFastAsTheOthers() {
        World world = new World(1, 0, 1, 0.5);
        world.steps(30);
        Plan plan = world.source.plan(Groups.of(3, 3), 9, world.step);
        assertThat(plan.shares().get(2)).isBetween(plan.shares().get(1), plan.shares().get(0));
        assertThat(plan.globalBatch()).isEqualTo(BATCH);
        assertThat(plan.why()).contains("by measured speed");
    }

    @Test
    @Tag("unit")
    void shouldKeepAWishUntilItIsGranted() {
        World world = new World(1, 0, 1, 0.5);
        String why = world.stepsUntilAWish();
        world.takeStep(0.01);
        assertThat(world.source.wish(world.step)).isEqualTo(why);
        assertThat(world.form().why()).isEqualTo(why);
        assertThat(world.source.wish(world.step)).isNull();
    }

    @Test
    @Tag("unit")
    void shouldNotGiveAWishToOthersThanItWasMadeFor() {
        World world = new World(1, 0, 1, 0.5);
        String why = world.stepsUntilAWish();
        Group three = Groups.of(9, 3);
        Group other = new Group(9, List.of(three.members().get(0), three.members().get(2)));
        Plan plan = world.source.plan(other, 9, world.step);
        assertThat(plan.why()).isNotEqualTo(why).contains("by measured speed");
        assertThat(plan.shares())
                .as("a newcomer counts as fast as the rest")
                .containsExactly(128, 128);
    }

    @Test
    @Tag("unit")
    void shouldBeginWithWhatWorkersHaveTried() {
        BalancedPlan source =
                new BalancedPlan(
                        new SharePlan(BATCH, 1, List.of()), Balance.of(BATCH), Long.MAX_VALUE);
        source.joins(new WorkerId(1), List.of(tried(16, 1), tried(64, 1)));
        source.joins(new WorkerId(2), List.of(tried(16, 3), tried(64, 3)));
        Plan plan = source.plan(Groups.of(1, 2), 1, 0);
        assertThat(plan.globalBatch()).isEqualTo(BATCH);
        assertThat(plan.shares().get(0)).isBetween(187, 197);
        assertThat(plan.why()).contains("by measured speed");
    }

    /** A trial of half a second is off by some percent, and shares of the first steps with it. */
    @Test
    @Tag("unit")
    void machinesThatTriedNearlyTheSameShouldBeginWithTheSame() {
        assertThat(begin(1, 1.1)).containsExactly(128, 128);
        assertThat(begin(1, 1.3).get(0)).isBetween(140, 150);
        List<Integer> mixed = begin(2.1, 1, 1.08, 2);
        assertThat(mixed.get(1)).isEqualTo(mixed.get(2)).isBetween(84, 87);
        assertThat(mixed.get(0)).isEqualTo(mixed.get(3)).isBetween(41, 44);
    }

    private static List<Integer> begin(double... times) {
        BalancedPlan source =
                new BalancedPlan(
                        new SharePlan(BATCH, 1, List.of()), Balance.of(BATCH), Long.MAX_VALUE);
        for (int i = 0; i < times.length; i++) {
            source.joins(new WorkerId(i + 1), List.of(tried(16, times[i]), tried(64, times[i])));
        }
        return source.plan(Groups.of(1, times.length), 1, 0).shares();
    }

    private static PlanSource.Measured tried(int samples, double times) {
        return Measured.alone(samples, (long) (times * (1e6 + samples * 1e6)));
    }

    /** Rows that are read anew for each change cost more than an unsteady machine would save. */
    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void whatHasToReadItsRowsAnewShouldNotFollowEachWaver(long seed) {
        int[] changes = new int[2];
        for (int costs = 0; costs < 2; costs++) {
            World world = new World(seed, 0.02, allSamples(), 1, 1, 1);
            world.firstTimes = costs == 1 ? 60 : 1;
            for (int i = 0; i < 10; i++) {
                world.speeds[i % 3] = 0.6;
                world.steps(15);
                world.speeds[i % 3] = 1;
            }
            changes[costs] = world.plans.size() - 1;
        }
        assertThat(changes[1]).isLessThanOrEqualTo(2).isLessThan(changes[0]);
    }

    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void whatReadsItsRowsAnewShouldStillFollowAMachineThatStaysSlow(long seed) {
        World world = new World(seed, 0.02, allSamples(), 1, 1, 1);
        world.firstTimes = 20;
        world.pauseTimes = 1;
        world.steps(30);
        world.speeds[1] = 0.3;
        world.steps(200);
        assertThat(world.plannedStepNs()).isLessThan(1.2 * world.idealStepNs());
        assertThat(world.plans).hasSizeLessThanOrEqualTo(4);
    }

    private static BalancedPlan allSamples() {
        return BalancedPlan.ofAllSamples(new SharePlan(BATCH, 1, List.of()), 10_000);
    }

    @Test
    @Tag("unit")
    void shouldBeginEvenly() {
        World world = new World(1, 0, 1, 1);
        assertThat(world.plans).containsExactly(List.of(128, 128));
        assertThat(world.source.wish(0)).isNull();
    }

    /** Machines with speeds relative to one that makes 1,000 samples a second. */
    private static final class World {
        private static final double ALPHA_NS = 3e6;
        private static final double BETA_NS = 1e6;

        final double[] speeds;
        final List<List<Integer>> plans = new ArrayList<>();
        final BalancedPlan source;
        private final RandomGenerator random;
        private final double noise;
        double pauseTimes = 3;

        /** The first step under a plan takes so many times as long. */
        double firstTimes = 1;

        private boolean isFirst = true;
        private Plan plan;
        private int epoch;
        private long step;

        World(long seed, double noise, double... speeds) {
            this(
                    seed,
                    noise,
                    new BalancedPlan(
                            new SharePlan(BATCH, 1, List.of()), Balance.of(BATCH), Long.MAX_VALUE),
                    speeds);
        }

        World(long seed, double noise, BalancedPlan source, double... speeds) {
            this.source = source;
            this.random = Seeds.generator(seed);
            this.noise = noise;
            this.speeds = speeds;
            this.plan = form();
        }

        private Plan form() {
            epoch++;
            Plan formed = source.plan(Groups.of(epoch, speeds.length), epoch, step);
            plans.add(formed.shares());
            return formed;
        }

        void steps(int count) {
            for (int i = 0; i < count; i++) {
                takeStep(isFirst ? firstTimes : 1);
                isFirst = source.wish(step) != null;
                if (isFirst) {
                    plan = form();
                }
            }
        }

        String stepsUntilAWish() {
            String why = source.wish(step);
            while (why == null) {
                takeStep(1);
                why = source.wish(step);
            }
            return why;
        }

        /** One step, in which everything takes so many times as long as usual. */
        void takeStep(double times) {
            step++;
            Map<WorkerId, Measured> measured = new HashMap<>();
            for (int w = 0; w < speeds.length; w++) {
                double ns = times * timeNs(w) * (1 + noise * (2 * random.nextDouble() - 1));
                ns *= random.nextInt(40) == 0 ? pauseTimes : 1; // A pause that means nothing.
                measured.put(
                        new WorkerId(w + 1),
                        new Measured(plan.shares().get(w), (long) ns, 0, 1_000_000, 0));
            }
            source.stepped(step, measured);
        }

        private double timeNs(int worker) {
            return (ALPHA_NS + BETA_NS * plan.shares().get(worker)) / speeds[worker];
        }

        /** A step under the present plan, without noise. */
        double plannedStepNs() {
            double longest = 0;
            for (int w = 0; w < speeds.length; w++) {
                longest = Math.max(longest, timeNs(w));
            }
            return longest;
        }

        /** If all were done at the same time. */
        double idealStepNs() {
            double sum = 0;
            for (double speed : speeds) {
                sum += speed;
            }
            return (BETA_NS * BATCH + speeds.length * ALPHA_NS) / sum;
        }
    }
}
