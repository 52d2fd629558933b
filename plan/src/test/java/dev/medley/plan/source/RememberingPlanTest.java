package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Balance;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.policy.MemoryCaps;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.profile.speed.StepTime;
import dev.medley.profile.speed.StepTimeGuess;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Machines of the types "0", "1", ... whose steps take 4 ms and as many ms a sample as said. */
class RememberingPlanTest {
    private static final int BATCH = 256;
    private static final double ALPHA_NS = 4e6;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @Test
    @Tag("unit")
    void theNextRunShouldBeginWithWhatThisOneLearnt() {
        World first = new World(1, 0, Map.of(), 1, 3);
        first.tryAll(16, 64);
        first.steps(60);
        Map<String, StepTimeGuess> learnt = first.source.learnt(7);
        assertThat(learnt).containsOnlyKeys("0", "1");
        assertThat(learnt.get("1").line().betaNs()).isCloseTo(3e6, within(1e5));
        assertThat(learnt.get("1").hasShape()).isTrue();
        assertThat(learnt.get("1").wallMillis()).isEqualTo(7);

        World next = new World(1, 0, learnt, 1, 3);
        assertThat(next.scopes).as("the shape is known").containsOnly(TrialScope.LEVEL);
        assertThat(next.form().shares().get(0)).isBetween(188, 196);
        assertThat(next.plan.why())
                .contains("by guessed speed; guessed from earlier runs: worker-1 takes ")
                .contains(" ms and 1.000", " ms a sample, worker-2 takes ");
    }

    /** With what remains of a trial: one share. */
    @Test
    @Tag("unit")
    void aTrialShouldOverruleTheLevelAndTakeTheShape() {
        StepTimeGuess guess = guess(8 * ALPHA_NS, 8e6);
        World world = new World(1, 0, Map.of("0", guess, "1", guess), 1, 1);
        world.tryAll(128);
        Plan plan = world.form();
        assertThat(plan.shares()).containsExactly(128, 128);
        assertThat(plan.why())
                .contains(
                        "by measured speed; guessed from earlier runs: worker-1 takes 4.00 ms of a")
                .contains("step whatever its share");
        world.steps(1);
        assertThat(world.form().why()).as("steps were measured").doesNotContain("guess");
    }

    @Test
    @Tag("unit")
    void aWholeTrialShouldLeaveNothingToGuess() {
        StepTimeGuess flat = new StepTimeGuess(new StepTime(1e6, 1e6), 64, 64, 30, 0);
        World world = new World(1, 0, Map.of("0", flat, "1", flat), 1, 3);
        assertThat(world.scopes).as("its shares were all alike").containsOnly(TrialScope.FULL);
        world.tryAll(16, 64);
        Plan guessed = world.form();
        World without = new World(1, 0, Map.of(), 1, 3);
        without.tryAll(16, 64);
        assertThat(guessed).isEqualTo(without.form());
    }

    /** Trials are shares, not steps; nothing is learnt of fewer than fifteen. */
    @Test
    @Tag("unit")
    void whatIsLearntShouldBeOfTheSharesThatWereComputed() {
        RememberingPlan plans =
                new RememberingPlan(new SharePlan(32, 1, List.of()), machine -> null);
        WorkerId worker = new WorkerId(1);
        plans.comes(worker, Groups.kind("fast"));
        plans.joins(
                worker, List.of(Measured.alone(16, 16_000_000), Measured.alone(64, 64_000_000)));
        for (int step = 1; step < 15; step++) {
            plans.stepped(step, Map.of(worker, Measured.alone(32, 64_000_000)));
        }
        plans.stepped(15, Map.of(worker, Measured.alone(0, 1)));
        assertThat(plans.learnt(0)).as("14 steps with samples").isEmpty();
        plans.stepped(16, Map.of(worker, Measured.alone(32, 64_000_000)));
        StepTimeGuess learnt = plans.learnt(7).get("fast");
        assertThat(learnt.leastShare()).isEqualTo(16);
        assertThat(learnt.largestShare()).isEqualTo(64);
        assertThat(learnt.steps()).isEqualTo(15);
        assertThat(learnt.wallMillis()).isEqualTo(7);
        assertThat(learnt.line().predictNs(32)).as("as steps took").isGreaterThan(60e6);
    }

    /** By which the slower of two equal machines is believed to be four times as slow, say. */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void aGuessThatIsWrongByFourTimesShouldNotShowAfterTwentySteps(long seed) {
        double wrong = seed % 2 == 0 ? 4 : 0.25;
        double[] slowness = {1, 1 + seed % 3, 2};
        Map<String, StepTimeGuess> guesses =
                Map.of(
                        "0", guess(ALPHA_NS * wrong, 1e6 * wrong),
                        "1", guess(ALPHA_NS * slowness[1], 1e6 * slowness[1]));
        World misled = new World(seed, 0.05, guesses, slowness);
        misled.steps(20);
        World without = new World(seed, 0.05, Map.of(), slowness);
        without.steps(20);
        assertThat(misled.stepNs()).isLessThan(1.12 * without.stepNs());
    }

    @Test
    @Tag("unit")
    void aGuessThatIsRightShouldSaveTheFirstSteps() {
        Map<String, StepTimeGuess> right =
                Map.of("0", guess(ALPHA_NS, 1e6), "1", guess(4 * ALPHA_NS, 4e6));
        World guessed = new World(1, 0.05, right, 1, 4);
        World without = new World(1, 0.05, Map.of(), 1, 4);
        assertThat(guessed.stepNs()).isLessThan(0.5 * without.stepNs());
        guessed.steps(20);
        assertThat(guessed.formed).as("nothing to mend").isEqualTo(1);
    }

    @Test
    @Tag("unit")
    void sharesThatNeverDifferShouldKeepTheShapeOfBeforeAndItsAge() {
        StepTimeGuess guess = guess(ALPHA_NS, 1e6);
        World world = new World(1, 0, Map.of("0", guess, "1", guess), 2, 2);
        world.tryAll(128);
        world.form();
        world.steps(40);
        StepTimeGuess learnt = world.source.learnt(99).get("0");
        assertThat(learnt.line().alphaNs()).as("twice as slow as said").isCloseTo(8e6, within(1e5));
        assertThat(learnt.hasShape()).isTrue();
        assertThat(learnt.wallMillis()).isZero();
    }

    @Test
    @Tag("unit")
    void aRunOfAFewStepsShouldTeachNothing() {
        World world = new World(1, 0, Map.of(), 1, 2);
        world.steps(10);
        assertThat(world.source.learnt(1)).isEmpty();
    }

    private static StepTimeGuess guess(double alphaNs, double betaNs) {
        return new StepTimeGuess(new StepTime(alphaNs, betaNs), 32, 128, 100, 0);
    }

    private static final class World {
        final RememberingPlan source;
        final List<TrialScope> scopes;
        private final double[] slowness;
        private final double noise;
        private final RandomGenerator random;
        private Plan plan;
        private int formed;
        private long step;

        World(long seed, double noise, Map<String, StepTimeGuess> earlier, double... slowness) {
            this.slowness = slowness;
            this.noise = noise;
            this.random = Seeds.generator(seed);
            this.source =
                    new RememberingPlan(
                            new CappedPlan(
                                    new BalancedPlan(
                                            new SharePlan(BATCH, 1, List.of()),
                                            Balance.of(BATCH),
                                            Long.MAX_VALUE),
                                    MemoryCaps.unknown()),
                            earlier::get);
            this.scopes =
                    IntStream.range(0, slowness.length)
                            .mapToObj(i -> source.comes(new WorkerId(i + 1), Groups.kind("" + i)))
                            .toList();
            this.plan = source.plan(Groups.of(1, slowness.length), 1, 0);
            this.formed = 1;
        }

        void tryAll(int... shares) {
            for (int i = 0; i < slowness.length; i++) {
                int worker = i;
                source.joins(
                        new WorkerId(i + 1),
                        IntStream.of(shares)
                                .mapToObj(b -> Measured.alone(b, (long) timeNs(worker, b)))
                                .toList());
            }
        }

        Plan form() {
            formed++;
            plan = source.plan(Groups.of(formed, slowness.length), formed, step);
            return plan;
        }

        void steps(int count) {
            for (int i = 0; i < count; i++) {
                Map<WorkerId, Measured> measured = new HashMap<>();
                for (int w = 0; w < slowness.length; w++) {
                    int share = plan.shares().get(w);
                    double ns = timeNs(w, share) * (1 + noise * (2 * random.nextDouble() - 1));
                    measured.put(new WorkerId(w + 1), Measured.alone(share, (long) ns));
                }
                source.stepped(++step, measured);
                if (source.wish(step) != null) {
                    form();
                }
            }
        }

        /** A step of the present plan, without noise. */
        double stepNs() {
            return IntStream.range(0, slowness.length)
                    .mapToDouble(w -> timeNs(w, plan.shares().get(w)))
                    .max()
                    .orElseThrow();
        }

        private double timeNs(int worker, int share) {
            return slowness[worker] * (ALPHA_NS + 1e6 * share);
        }
    }
}
