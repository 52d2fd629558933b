package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.plan.source.LeavingPlan;
import dev.medley.plan.source.PlanSource.Measured;
import dev.medley.plan.source.SharePlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who comes back, and when. */
@Tag("property")
class AbsenceTest {
    private static final int EVERY = 10;
    private static final double USUAL_NS = 1e7;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    /** 0, 50, 100, 200, ... */
    private static long leastSteps(int count) {
        return count == 1 ? 0 : 50L << (count - 2);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void onlyTwoGoodTrialsInARowAfterLongEnoughShouldEndIt(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        double bound = 1.1 + 5 * random.nextDouble();
        double tolerance = Math.max(1.25, bound / 2);
        int count = 1 + random.nextInt(5);
        long begun = random.nextInt(1000);
        double health = random.nextDouble();
        Absence absence = Absence.begin(count, begun, 16, USUAL_NS);
        long asked = begun;
        long answer = Long.MAX_VALUE;
        int well = 0;
        for (long step = begun; step < begun + 1000; step++) {
            if (step >= answer) {
                boolean isWell = random.nextDouble() < health;
                double off = 0.5 * random.nextDouble() + 1e-6;
                double times = tolerance * (isWell ? 1 - off : 1 + off);
                absence = absence.tried(times * USUAL_NS, bound);
                answer = Long.MAX_VALUE;
                well = isWell ? well + 1 : 0;
            }
            if (absence.isDue(step)) {
                assertThat(answer).as("one question at a time").isEqualTo(Long.MAX_VALUE);
                assertThat(step).isGreaterThanOrEqualTo(asked + EVERY);
                assertThat(well).as("nothing is left to ask").isLessThan(2);
                absence = absence.asked(step);
                asked = step;
                answer = step + random.nextInt(25);
            }
            boolean isLongEnough = step >= begun + leastSteps(count);
            assertThat(absence.isOver(step)).isEqualTo(well >= 2 && isLongEnough);
        }
    }

    /** It is asked in time, so that nobody who is well stays away for longer than it has to. */
    @ParameterizedTest
    @MethodSource("seeds")
    void whoIsWellShouldBeBackAsSoonAsThatMayBe(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int count = 1 + random.nextInt(5);
        long begun = random.nextInt(1000);
        long well = begun + random.nextInt(500);
        Absence absence = Absence.begin(count, begun, 16, USUAL_NS);
        long step = begun;
        while (!absence.isOver(step)) {
            if (absence.isDue(step)) {
                double times = step >= well ? 1.2 : 2.5;
                absence = absence.asked(step).tried(times * USUAL_NS, 3);
            }
            step++;
        }
        long least = begun + leastSteps(count);
        if (well <= least - 2 * EVERY) {
            assertThat(step).as("it was tried in time").isEqualTo(least);
        }
        long earliest = Math.max(least, well + EVERY);
        assertThat(step).isBetween(earliest, earliest + 2 * EVERY);
    }

    /** Several that are away, for the first time: each comes back by its own trials. */
    @ParameterizedTest
    @MethodSource("seeds")
    void noneShouldComeBackForAnother(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Away away = new Away(4 + random.nextInt(4));
        away.leave();
        away.leave();
        away.leave();
        Map<WorkerId, Integer> well = new TreeMap<>();
        away.out.forEach(worker -> well.put(worker, 0));
        for (int i = 0; i < 200; i++) {
            away.step++;
            Map<WorkerId, Integer> tries = away.plans.tries(away.step);
            assertThat(tries.keySet()).isSubsetOf(well.keySet());
            for (WorkerId worker : tries.keySet()) {
                boolean isWell = random.nextInt(3) == 0;
                long ns = (long) (isWell ? 1.4 * USUAL_NS : 1.6 * USUAL_NS);
                away.plans.tried(worker, Measured.alone(tries.get(worker), ns));
                well.merge(worker, 1, (before, one) -> isWell ? before + one : 0);
            }
            List<WorkerId> due =
                    well.entrySet().stream()
                            .filter(of -> of.getValue() >= 2)
                            .map(Map.Entry::getKey)
                            .toList();
            assertThat(away.plans.comesBack(away.step).keySet())
                    .containsExactlyInAnyOrderElementsOf(due);
            due.forEach(well::remove);
        }
    }

    /** Equal workers, of which the last is late until it sits out. */
    private static final class Away {
        private final LeavingPlan plans;
        private final List<Member> members;
        private final List<WorkerId> out = new ArrayList<>();
        private int epoch;
        private long step;

        Away(int size) {
            members = new ArrayList<>(Groups.of(1, size).members());
            plans = new LeavingPlan(new SharePlan(10 * size, 1, List.of()), 3);
            form();
            steps(6, 1);
        }

        void leave() {
            steps(3, 9);
            WorkerId late = members.get(members.size() - 1).worker();
            assertThat(plans.sitsOut(step)).containsOnlyKeys(late);
            out.add(late);
            members.remove(members.size() - 1);
            form();
        }

        private void form() {
            plans.plan(new Group(++epoch, members), epoch, step);
        }

        private void steps(int count, double timesOfTheLast) {
            for (int i = 0; i < count; i++) {
                Map<WorkerId, Measured> measured = new HashMap<>();
                members.forEach(m -> measured.put(m.worker(), Measured.alone(10, (long) USUAL_NS)));
                WorkerId last = members.get(members.size() - 1).worker();
                measured.put(last, Measured.alone(10, (long) (timesOfTheLast * USUAL_NS)));
                plans.stepped(++step, measured);
            }
        }
    }
}
