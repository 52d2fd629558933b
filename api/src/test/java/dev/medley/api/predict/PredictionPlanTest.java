package dev.medley.api.predict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.WorkerId;
import dev.medley.plan.source.PlanSource.Measured;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who gets how many blocks of a step. */
@Tag("unit")
class PredictionPlanTest {
    private static final WorkerId FAST = new WorkerId(1);
    private static final WorkerId SLOW = new WorkerId(2);

    private final PredictionPlan plans = new PredictionPlan(16, 2);

    @Test
    void aWorkerThatIsThreeTimesAsFastShouldGetThreeTimesAsMuch() {
        plans.joins(FAST, List.of(Measured.alone(1, 100)));
        plans.joins(SLOW, List.of(Measured.alone(1, 300)));
        assertThat(plans.plan(group(2), 1, 0).shares()).containsExactly(12, 4);
    }

    @Test
    void whoIsLeftShouldGetTheBlocksOfWhoIsLost() {
        plans.joins(FAST, List.of(Measured.alone(1, 100)));
        plans.plan(group(2), 1, 0);
        plans.leaves(SLOW);
        assertThat(plans.plan(group(1), 2, 3).shares()).containsExactly(16);
    }

    @Test
    void aWorkerThatBecomesSlowShouldGetLessAfterSomeSteps() {
        assertThat(plans.plan(group(2), 1, 0).shares()).containsExactly(8, 8);
        for (int step = 1; step <= 32; step++) {
            assertThat(plans.wish(step - 1)).isNull();
            plans.stepped(
                    step, Map.of(FAST, Measured.alone(8, 800), SLOW, Measured.alone(8, 2400)));
        }
        assertThat(plans.wish(32)).isNotNull();
        assertThat(plans.plan(group(2), 2, 32).shares()).containsExactly(12, 4);
        assertThat(plans.wish(64)).as("that is as good as it gets").isNull();
    }

    @Test
    void memoryThatRunsOutShouldEndThePredictionOnlyWhereItDoesSoAgainAndAgain() {
        assertThat(plans.outOfMemory("")).contains("started anew");
        assertThat(plans.outOfMemoryTrying("", 1)).contains("the others do its part");
        assertThat(plans.outOfMemory("")).isNull();
    }

    private static Group group(int workers) {
        List<Member> members =
                IntStream.rangeClosed(1, workers)
                        .mapToObj(
                                n ->
                                        new Member(
                                                new WorkerId(n),
                                                "host",
                                                "",
                                                "127.0.0.1",
                                                0,
                                                "none"))
                        .toList();
        return new Group(1, members);
    }
}
