package dev.medley.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.placement.ShardPlacement.Shard;
import dev.medley.control.watch.RunOutcome;
import dev.medley.plan.policy.MemoryCaps;
import dev.medley.plan.source.BalancedPlan;
import dev.medley.plan.source.CappedPlan;
import dev.medley.plan.source.LeavingPlan;
import dev.medley.plan.source.PlacedPlan;
import dev.medley.plan.source.PlanSource;
import dev.medley.plan.source.SharePlan;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs with seeded faults; what must hold is checked after every event. {@code -Dmedley.seeds=5000}
 * for a long night, {@code -Dmedley.seed=N} for one seed.
 */
@Tag("simulation")
class ChairSimulationTest {
    static LongStream seeds() {
        String named = System.getProperty("medley.seed");
        return named != null
                ? Stream.of(named.split(",")).mapToLong(Long::parseLong)
                : LongStream.rangeClosed(1, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void noStepShouldBeLostOrRepeatedWhateverHappens(long seed) {
        VirtualRun run =
                new VirtualRun(seed, 1 + (int) (seed % 6), seed % 2 == 0, () -> plans(seed));
        RunOutcome outcome = run.runToEnd();
        if (outcome.kind() == RunOutcome.Kind.COMPLETED) {
            assertThat(outcome.step()).isEqualTo(VirtualRun.LAST_STEP);
        }
        run.checkThatItRepeats();
    }

    private static PlanSource plans(long seed) {
        SharePlan even = new SharePlan(VirtualRun.BATCH, 1, List.of());
        BalancedPlan balanced = BalancedPlan.of(even, 1, VirtualRun.LAST_STEP);
        PlanSource shares = seed % 5 == 0 ? even : seed % 5 == 1 ? balanced.shrinking(2) : balanced;
        PlanSource leaving = seed % 5 < 3 ? shares : new LeavingPlan(shares, 2);
        List<Shard> shards =
                IntStream.range(0, 12).mapToObj(i -> new Shard("shard-" + i, 100, "", "")).toList();
        PlanSource placed = seed % 5 == 4 ? new PlacedPlan(leaving, shards) : leaving;
        return new CappedPlan(placed, new MemoryCaps(machine -> MemoryCaps.NONE));
    }
}
