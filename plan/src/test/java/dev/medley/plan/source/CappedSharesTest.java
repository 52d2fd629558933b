package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.policy.MemoryCaps;
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
class CappedSharesTest {
    private static final int PLANS = 8;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    /** Whatever machine runs out of memory, and in whatever order. */
    @ParameterizedTest
    @MethodSource("seeds")
    void partsShouldShrinkWhereMemoryRanOutAndNothingElseChange(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int size = 2 + random.nextInt(5);
        SharePlan plain =
                new SharePlan(
                        64 + random.nextInt(1000),
                        1 + random.nextInt(3),
                        IntStream.range(0, size).mapToObj(i -> 0.1 + random.nextDouble()).toList());
        CappedPlan plans = new CappedPlan(plain, MemoryCaps.unknown());
        List<String> types =
                IntStream.range(0, size).mapToObj(i -> "type " + random.nextInt(3)).toList();
        IntStream.range(0, size)
                .forEach(i -> plans.comes(new WorkerId(i + 1), Groups.kind(types.get(i))));
        Map<String, Integer> caps = new HashMap<>();
        for (int version = 1; version <= PLANS; version++) {
            Plan plan = plans.plan(Groups.of(version, size), version, 0);
            Plan whole = plain.plan(Groups.of(version, size), version, 0);
            assertThat(plan.shares()).isEqualTo(whole.shares());
            for (int rank = 0; rank < size; rank++) {
                int cap = caps.getOrDefault(types.get(rank), Integer.MAX_VALUE);
                assertThat(plan.microBatch(rank))
                        .as("rank %d of version %d", rank, version)
                        .isEqualTo(Math.min(cap, whole.microBatch(rank)));
            }
            String type = types.get(random.nextInt(size));
            int atOnce = atOnce(plan, types, type);
            boolean isRemedied = plans.outOfMemory(type) != null;
            assertThat(isRemedied).as("%d samples at once", atOnce).isEqualTo(atOnce > 1);
            if (isRemedied) {
                caps.merge(type, Math.max(1, atOnce / 4), Math::min);
            }
        }
    }

    /** The most samples that a machine of the type takes through its model at once. */
    private static int atOnce(Plan plan, List<String> types, String type) {
        return IntStream.range(0, types.size())
                .filter(rank -> types.get(rank).equals(type))
                .map(rank -> Math.min(plan.microBatch(rank), plan.shares().get(rank)))
                .max()
                .orElseThrow();
    }
}
