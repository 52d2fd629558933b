package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Plan;
import dev.medley.base.TrialScope;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.policy.MemoryCaps;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class CappedPlanTest {
    private final CappedPlan plans =
            new CappedPlan(new SharePlan(256, 1, List.of()), MemoryCaps.unknown());

    @Test
    void shouldChangeNothingAsLongAsMemoryLasts() {
        assertThat(plan(1)).isEqualTo(new SharePlan(256, 1, List.of()).plan(Groups.of(1, 2), 1, 0));
    }

    @Test
    void shouldCutTheSharesSmallerEachTimeMemoryRunsOut() {
        assertThat(plan(1).microBatch()).isEqualTo(128);
        assertThat(plans.outOfMemory("")).contains("at most 32 samples");
        Plan second = plan(2);
        assertThat(second.microBatch()).isEqualTo(32);
        assertThat(second.shares()).as("the same shares").containsExactly(128, 128);
        assertThat(second.why()).contains("micro-batches of at most 32, since memory ran out");
        assertThat(plans.outOfMemory("")).contains("at most 8 samples");
        assertThat(plan(3).microBatch()).isEqualTo(8);
        assertThat(plans.outOfMemory("")).contains("at most 2 samples");
        assertThat(plan(4).microBatch()).isEqualTo(2);
        assertThat(plans.outOfMemory("")).contains("at most 1 samples");
        assertThat(plan(5).microBatch()).isEqualTo(1);
        assertThat(plans.outOfMemory("")).as("a sample cannot be cut").isNull();
    }

    @Test
    void shouldHaveNoRemedyBeforeThereIsAPlan() {
        assertThat(plans.outOfMemory("")).isNull();
    }

    @Test
    void whoTriesTooMuchShouldTryLessAndSeveralCutOnce() {
        assertThat(comes()).isEqualTo(TrialScope.FULL);
        assertThat(plans.outOfMemoryTrying("", 128)).contains("at most 32 samples");
        assertThat(plans.outOfMemoryTrying("", 128)).contains("at most 32 samples");
        assertThat(comes()).isEqualTo(TrialScope.FULL.atMost(32));
        assertThat(plan(1).microBatch()).isEqualTo(32);
        assertThat(plans.outOfMemoryTrying("", 32)).contains("at most 8 samples");
        assertThat(plans.outOfMemoryTrying("", 1)).as("a sample cannot be cut").isNull();
    }

    /** Rank 1's machine has less memory: it takes its share in parts, the other at once. */
    @Test
    void machinesOfAnotherTypeShouldGoOnAsBefore() {
        CappedPlan uneven =
                new CappedPlan(new SharePlan(256, 1, List.of(3.0, 1.0)), MemoryCaps.unknown());
        assertThat(uneven.comes(new WorkerId(1), Groups.kind("large"))).isEqualTo(TrialScope.FULL);
        assertThat(uneven.comes(new WorkerId(2), Groups.kind("small"))).isEqualTo(TrialScope.FULL);
        assertThat(uneven.plan(Groups.of(1, 2), 1, 0).shares()).containsExactly(192, 64);
        assertThat(uneven.outOfMemory("small"))
                .contains("parts of at most 16 samples")
                .contains("on machines of this type: small");
        Plan plan = uneven.plan(Groups.of(2, 2), 2, 0);
        assertThat(plan.microBatch(0)).isEqualTo(192);
        assertThat(plan.microBatch(1)).as("a quarter of its share").isEqualTo(16);
        assertThat(plan.why()).contains("micro-batches of at most 16 on rank 1, since memory");
        assertThat(uneven.comes(new WorkerId(3), Groups.kind("small")))
                .isEqualTo(TrialScope.FULL.atMost(16));
        assertThat(uneven.comes(new WorkerId(4), Groups.kind("large"))).isEqualTo(TrialScope.FULL);
    }

    /** Its connection closes, the others go on, and then its machine says why it ended. */
    @Test
    void whoHasLeftByThenShouldStillBeRemembered() {
        CappedPlan uneven = new CappedPlan(new SharePlan(256, 1, List.of()), MemoryCaps.unknown());
        assertThat(uneven.comes(new WorkerId(1), Groups.kind("large"))).isEqualTo(TrialScope.FULL);
        assertThat(uneven.comes(new WorkerId(2), Groups.kind("small"))).isEqualTo(TrialScope.FULL);
        assertThat(uneven.plan(Groups.of(1, 2), 1, 0).microBatch(1)).isEqualTo(128);
        assertThat(uneven.plan(Groups.of(2, 1), 2, 0).microBatch(0)).isEqualTo(256);
        assertThat(uneven.outOfMemory("small")).contains("at most 32 samples");
        assertThat(uneven.plan(Groups.of(3, 2), 3, 0).microBatch(1)).isEqualTo(32);
        assertThat(uneven.plan(Groups.of(3, 2), 4, 0).microBatch(0)).isEqualTo(128);
    }

    @Test
    void whatEarlierRunsFoundShouldHoldFromTheFirstTrialOnAndBeSaid() {
        MemoryCaps caps = new MemoryCaps(type -> type.equals("small") ? 16 : MemoryCaps.NONE);
        CappedPlan uneven = new CappedPlan(new SharePlan(256, 1, List.of()), caps);
        assertThat(uneven.comes(new WorkerId(1), Groups.kind("large"))).isEqualTo(TrialScope.FULL);
        assertThat(uneven.comes(new WorkerId(2), Groups.kind("small")))
                .isEqualTo(TrialScope.FULL.atMost(16));
        Plan plan = uneven.plan(Groups.of(1, 2), 1, 0);
        assertThat(plan.microBatch(0)).isEqualTo(128);
        assertThat(plan.microBatch(1)).isEqualTo(16);
        assertThat(plan.why()).contains("16 on rank 1, since memory ran out in an earlier run");
        assertThat(caps.found()).as("nothing new to keep").isEmpty();
        assertThat(uneven.outOfMemory("small")).contains("at most 4 samples");
        assertThat(caps.found()).containsOnly(Map.entry("small", 4));
        assertThat(uneven.plan(Groups.of(2, 2), 2, 0).why()).doesNotContain("earlier run");
    }

    private TrialScope comes() {
        return plans.comes(new WorkerId(1), Groups.kind(""));
    }

    private Plan plan(int version) {
        return plans.plan(Groups.of(version, 2), version, 0);
    }
}
