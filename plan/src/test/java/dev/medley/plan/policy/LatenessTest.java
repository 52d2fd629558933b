package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.plan.source.LeavingPlan;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.plan.source.SharePlan;
import dev.medley.plan.source.Speeds;
import dev.medley.plan.source.Stragglers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class LatenessTest {
    private static final int STEPS = 200;
    private static final double BOUND = 3;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    /** Workers that pause at random, alone or together. */
    @ParameterizedTest
    @MethodSource("seeds")
    void onlyOneThatIsSlowInThreeOfFiveStepsShouldLeave(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Group group = new Group(2 + random.nextInt(5));
        double pauses = 0.3 * random.nextDouble();
        group.steps(20, rank -> usual(random));
        for (int i = 0; i < STEPS; i++) {
            boolean isForAll = random.nextDouble() < 0.1;
            group.steps(
                    1,
                    rank ->
                            isForAll || random.nextDouble() < pauses
                                    ? 3 * BOUND * usual(random)
                                    : usual(random));
            Map<WorkerId, String> out = group.plans.sitsOut(group.step);
            assertThat(out).hasSizeLessThanOrEqualTo(1);
            if (!out.isEmpty()) {
                WorkerId left = out.keySet().iterator().next();
                assertThat(Collections.frequency(group.lastFive(left), true))
                        .as("%s, %s", left, group.lastFive(left))
                        .isGreaterThanOrEqualTo(3);
                return; // The others would form a group of their own.
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void oneThatIsSlowWhereOthersAreNotShouldLeaveSoon(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Group group = new Group(2 + random.nextInt(5));
        int slow = random.nextInt(group.size);
        group.steps(20, rank -> usual(random));
        assertThat(group.plans.sitsOut(group.step)).isEmpty();
        group.steps(3, rank -> rank == slow ? 2 * BOUND * usual(random) : usual(random));
        assertThat(group.plans.sitsOut(group.step)).containsOnlyKeys(new WorkerId(slow + 1));
    }

    /** Names are only names: whoever takes as long is as late. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whateverWorkersAreCalledTheyShouldBeAsLate(long seed) {
        RandomGenerator random = Seeds.generator(seed, 1);
        int size = 2 + random.nextInt(5);
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            order.add(random.nextInt(i + 1), i);
        }
        Speeds usual = new Speeds();
        Speeds usualToo = new Speeds();
        Stragglers some = new Stragglers(BOUND);
        Stragglers renamed = new Stragglers(BOUND);
        boolean isAnyLate = false;
        for (int step = 0; step < 40; step++) {
            Map<WorkerId, Measured> measured = new HashMap<>();
            Map<WorkerId, Measured> renamedToo = new HashMap<>();
            for (int i = 0; i < size; i++) {
                double times = random.nextInt(4) == 0 ? 3 * BOUND : usual(random);
                Measured of = Measured.alone(10, (long) (1e7 * (i + 1) * times));
                measured.put(new WorkerId(i + 1), of);
                renamedToo.put(new WorkerId(order.get(i) + 1), of);
            }
            some.stepped(measured, usual);
            renamed.stepped(renamedToo, usualToo);
            usual.stepped(measured);
            usualToo.stepped(renamedToo);
            for (int i = 0; i < size; i++) {
                Lateness one = some.of(new WorkerId(i + 1));
                assertThat(renamed.of(new WorkerId(order.get(i) + 1))).isEqualTo(one);
                isAnyLate |= one.isLate();
            }
        }
        assertThat(isAnyLate).isTrue();
    }

    /** Whoever takes longer, beside others that do not, is late at least as often. */
    @ParameterizedTest
    @MethodSource("seeds")
    void longerStepsShouldNeverMakeItLessLate(long seed) {
        RandomGenerator random = Seeds.generator(seed, 2);
        Lateness one = Lateness.NONE;
        Lateness longer = Lateness.NONE;
        List<Boolean> wasLate = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            double times = 2 * BOUND * random.nextDouble();
            double others = 2 * random.nextDouble();
            one = one.after(times, others, BOUND);
            longer = longer.after(times * (1 + random.nextDouble()), others, BOUND);
            wasLate.add(times > BOUND && times > BOUND * others);
            List<Boolean> last = wasLate.subList(Math.max(0, step - 4), step + 1);
            assertThat(one.isStraggler()).isEqualTo(Collections.frequency(last, true) >= 3);
            assertThat(longer.isLate() || !one.isLate()).isTrue();
            assertThat(longer.isStraggler() || !one.isStraggler()).isTrue();
            assertThat(one.times()).isBetween(one.isStraggler() ? BOUND : 1, 2 * BOUND);
        }
    }

    private static double usual(RandomGenerator random) {
        return 0.9 + 0.2 * random.nextDouble();
    }

    /** Times of a rank in the next step, of what is usual. */
    @FunctionalInterface
    private interface Times {
        double of(int rank);
    }

    /** Workers of unlike speeds, and what was seen of them. */
    private static final class Group {
        private final int size;
        private final LeavingPlan plans;
        private final List<List<Boolean>> wasSlow = new ArrayList<>();
        private long step;

        Group(int size) {
            this.size = size;
            this.plans = new LeavingPlan(new SharePlan(10 * size, 1, List.of()), BOUND);
            IntStream.range(0, size).forEach(rank -> wasSlow.add(new ArrayList<>()));
            plans.plan(Groups.of(1, size), 1, 0);
        }

        void steps(int count, Times times) {
            for (int i = 0; i < count; i++) {
                Map<WorkerId, Measured> measured = new HashMap<>();
                for (int rank = 0; rank < size; rank++) {
                    double of = times.of(rank);
                    wasSlow.get(rank).add(of > 2);
                    long ns = (long) (1e7 * (rank + 1) * of);
                    measured.put(new WorkerId(rank + 1), Measured.alone(10, ns));
                }
                plans.stepped(++step, measured);
            }
        }

        List<Boolean> lastFive(WorkerId worker) {
            List<Boolean> all = wasSlow.get(worker.value() - 1);
            return all.subList(all.size() - 5, all.size());
        }
    }
}
