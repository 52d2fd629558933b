package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.source.PlanSource.Measured;
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

/** From a slow exchange to the worker whose link it is, and back. */
@Tag("property")
class LeavingForLinksTest {
    private static final WorkerId SECOND = new WorkerId(2);
    private static final long MS = 1_000_000;
    private static final double BOUND = 3;

    private final LeavingPlan plans = new LeavingPlan(new SharePlan(30, 1, List.of()), BOUND);
    private Ways ways = Ways.alike(3);
    private long sentBytes = 1_000_000_000;
    private int epoch;
    private int size;
    private long step;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @Test
    void theOneWhoseLinkBecameSlowShouldSitOutOnceItsWaysWereProbed() {
        form(3);
        steps(10, 2);
        assertThat(plans.probesAnew()).isFalse();
        ways = ways.slow(1, 100);
        steps(2, 200);
        assertThat(plans.wish(step)).isNull();
        steps(1, 200);
        assertThat(plans.sitsOut(step)).as("nobody is known yet").isEmpty();
        assertThat(plans.wish(step))
                .isEqualTo(
                        "all waited 200.0 ms for bytes in the last step, 2.0 ms are usual: the ways"
                                + " between machines are probed anew");
        form(3);
        assertThat(plans.wish(step)).isNull();
        assertThat(plans.sitsOut(step))
                .containsExactly(
                        Map.entry(
                                SECOND,
                                "the link of worker-2 carries 1.00 MB/s out of it, 100 MB/s were"
                                        + " usual: it sits out for 50 steps at least, until it is"
                                        + " well"));
        assertThat(plans.sitsOut(step)).as("said once").isEmpty();
        assertThat(plans.remark()).startsWith("the link of worker-2 carries 1.00 MB/s");
        assertThat(plans.remark()).as("said once").isNull();
    }

    /** On one busy machine a probe gets a seventh of 20 GB/s, and 2 MB still take 1 ms. */
    @Test
    void aLinkThatIsFastForWhatIsSentShouldNotBeBlamed() {
        sentBytes = 2_000_000;
        ways = ways.slow(0, 1 / 200.0).slow(1, 1 / 200.0).slow(2, 1 / 200.0);
        form(3);
        steps(10, 2);
        steps(3, 200);
        assertThat(plans.wish(step)).isNotNull();
        ways = ways.slow(1, 7);
        form(3);
        assertThat(plans.sitsOut(step)).isEmpty();
        assertThat(plans.remark()).endsWith("and too little: all go on");
    }

    @Test
    void aGroupThatIsLostBeforeItHasLookedShouldBeFollowedByOneThatLooks() {
        form(3);
        steps(10, 2);
        steps(3, 200);
        plan(3);
        assertThat(plans.probesAnew()).isTrue();
        plan(3);
        assertThat(plans.probesAnew()).isTrue();
        steps(1, 200);
        plan(3);
        assertThat(plans.probesAnew()).as("it took a step, and will say nothing more").isFalse();
    }

    @Test
    void oneThatIsLostBeforeItLeavesShouldNotBeWaitedFor() {
        form(3);
        steps(10, 2);
        ways = ways.slow(1, 100);
        steps(3, 200);
        form(3);
        without();
        assertThat(plans.sitsOut(step)).isEmpty();
    }

    /** Steps are taken until the group is at its end. */
    @Test
    void slowStepsOfOneThatIsKnownToLeaveShouldBeLookedIntoNoFurther() {
        form(3);
        steps(10, 2);
        ways = ways.slow(1, 100);
        steps(3, 200);
        for (int i = 0; i < 3; i++) {
            form(3);
            steps(4, 200);
            assertThat(plans.sitsOut(step)).containsOnlyKeys(SECOND);
            steps(4, 200);
            assertThat(plans.wish(step)).isNull();
            without();
            assertThat(plans.probesAnew()).isFalse();
            step += 300;
        }
    }

    @Test
    void lateStepsOfTheGroupBeforeShouldNotCount() {
        form(3);
        steps(10, 2);
        steps(2, 200);
        form(3);
        steps(2, 200);
        assertThat(plans.wish(step)).isNull();
        steps(1, 200);
        assertThat(plans.wish(step)).isNotNull();
    }

    @Test
    void anExchangeThatIsSlowSinceAnotherJoinedShouldBeUsual() {
        form(3);
        steps(10, 2);
        ways = Ways.alike(4).slow(3, 100);
        form(4);
        steps(20, 200);
        assertThat(plans.wish(step)).isNull();
        plan(5);
        steps(10, 200);
        steps(5, 20_000);
        assertThat(plans.wish(step)).as("they have not looked at their ways").isNull();
    }

    @Test
    void whereNobodyIsNamedAllShouldGoOnAndTheNextLookBeLater() {
        form(3);
        steps(10, 2);
        int before = 0;
        for (int rest = 50; rest <= 200; rest *= 2) {
            steps(3, 200);
            assertThat(plans.wish(step)).as("after %d more", before).isNotNull();
            form(3);
            assertThat(plans.sitsOut(step)).isEmpty();
            assertThat(plans.remark()).contains("no machine is alone").endsWith(": all go on");
            assertThat(plans.remark()).as("said once").isNull();
            steps(rest - 4, 200);
            assertThat(plans.wish(step)).as("too early").isNull();
            steps(1, 2);
            before = rest;
        }
    }

    @Test
    void oneThatSitsOutForItsLinkShouldStayAwayThoughItComputesWellAndLongerEachTime() {
        form(3);
        steps(10, 2);
        ways = ways.slow(1, 100);
        steps(3, 200);
        form(3);
        assertThat(plans.sitsOut(step)).containsOnlyKeys(SECOND);
        long left = step;
        without();
        assertThat(plans.tries(left + 29)).as("too early to be of use").isEmpty();
        tryWell(30);
        tryWell(10);
        assertThat(plans.comesBack(left + 49)).isEmpty();
        assertThat(plans.comesBack(left + 50)).containsOnlyKeys(SECOND);
        step = left + 50;
        form(3);
        assertThat(plans.sitsOut(step).get(SECOND))
                .as("without another step")
                .endsWith("it sits out for 100 steps at least, until it is well");
        left = step;
        without();
        tryWell(80);
        tryWell(10);
        assertThat(plans.comesBack(left + 100)).containsOnlyKeys(SECOND);
        ways = Ways.alike(3);
        form(3);
        assertThat(plans.sitsOut(step)).as("it is well again").isEmpty();
        steps(10, 2);
        plan(3);
        assertThat(plans.probesAnew()).isFalse();
    }

    @Test
    void aSlowExchangeShouldBeNobodysWhereWaysWereNeverMeasured() {
        plan(3);
        steps(10, 2);
        steps(5, 200);
        assertThat(plans.wish(step)).isNull();
        form(2);
        steps(10, 2);
        steps(5, 200);
        assertThat(plans.wish(step)).as("of two nobody knows whose link it is").isNull();
    }

    @Test
    void waitsThatAreShortOrCostLessThanAWorkerShouldNotBeLookedInto() {
        form(3);
        steps(10, 1);
        steps(5, 19);
        assertThat(plans.wish(step)).as("some ms are noise").isNull();
        for (int i = 0; i < 5; i++) {
            step(500, 200);
        }
        assertThat(plans.wish(step)).as("two would take 250 ms more").isNull();
        for (int i = 0; i < 3; i++) {
            step(500, 300);
        }
        assertThat(plans.wish(step)).isNotNull();
    }

    /** A worker that computes slowly makes all others wait. */
    @Test
    void waitingForAWorkerShouldBeNoWaitForALink() {
        form(3);
        steps(10, 2);
        for (int i = 0; i < 3; i++) {
            Map<WorkerId, Measured> measured = measured(10, 400);
            measured.put(SECOND, new Measured(10, 400 * MS, MS, 2 * MS, sentBytes));
            plans.stepped(++step, measured);
        }
        assertThat(plans.wish(step)).isNull();
        assertThat(plans.sitsOut(step).get(SECOND)).contains("40.0 times as long as usual");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void healthyLinksShouldMakeNoStragglerHoweverUnlikeTheyAre(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        ways = Ways.uneven(2 + random.nextInt(5), random);
        double pauses = 0.5 * random.nextDouble();
        seen(ways.size(), random);
        for (int i = 0; i < 200; i++) {
            boolean isPause = random.nextDouble() < pauses;
            step(10, (long) (2 + random.nextInt(3) + (isPause ? 400 * random.nextDouble() : 0)));
            if (plans.wish(step) != null) {
                seen(ways.size(), random);
            }
            assertThat(plans.sitsOut(step)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void oneWhoseLinkFallsShouldBeNamedWithinFiveLateSteps(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        ways = Ways.uneven(3 + random.nextInt(4), random);
        seen(ways.size(), random);
        IntStream.range(0, 20).forEach(i -> step(10, 5 + random.nextInt(5)));
        int slow = random.nextInt(ways.size());
        ways = ways.slow(slow, 2 * BOUND + 100 * random.nextDouble());
        Map<WorkerId, String> out = Map.of();
        for (int late = 0; late < 5 && out.isEmpty(); late++) {
            step(10, (long) (2 * BOUND * (10 + random.nextInt(50))));
            if (plans.wish(step) != null) {
                seen(ways.size(), random);
            }
            out = plans.sitsOut(step);
        }
        assertThat(out).containsOnlyKeys(new WorkerId(slow + 1));
    }

    /** A group that finds its ways as they are now. */
    private void form(int workers) {
        plan(workers);
        plans.surveyed((workers == 2 ? Ways.alike(2) : ways).report(epoch));
    }

    private void seen(int workers, RandomGenerator random) {
        plan(workers);
        plans.surveyed(ways.seen(random).report(epoch));
    }

    private void plan(int workers) {
        size = workers;
        plans.plan(Groups.of(++epoch, workers), epoch, step);
    }

    /** The first and the third. */
    private void without() {
        Group all = Groups.of(++epoch, 3);
        Group two = new Group(epoch, List.of(all.members().get(0), all.members().get(2)));
        plans.plan(two, epoch, step);
        size = 2;
    }

    private void tryWell(int stepsLater) {
        step += stepsLater;
        assertThat(plans.tries(step)).containsOnlyKeys(SECOND);
        plans.tried(SECOND, Measured.alone(10, 10 * MS));
    }

    private void steps(int count, long waitingMs) {
        IntStream.range(0, count).forEach(i -> step(10, waitingMs));
    }

    /** The first waits longer than all others. */
    private void step(long computeMs, long waitingMs) {
        plans.stepped(++step, measured(computeMs, waitingMs));
    }

    private Map<WorkerId, Measured> measured(long computeMs, long waitingMs) {
        Map<WorkerId, Measured> measured = new HashMap<>();
        for (int rank = 0; rank < size; rank++) {
            long waitingNs = waitingMs * MS + (rank == 0 ? MS : 0);
            measured.put(
                    new WorkerId(rank + 1),
                    new Measured(10, computeMs * MS, MS, waitingNs, sentBytes));
        }
        return measured;
    }
}
