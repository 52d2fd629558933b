package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.WorkerId;
import dev.medley.plan.policy.Balance;
import dev.medley.plan.source.PlanSource.Measured;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a worker may tell of its steps, there is a plan for the next group. */
@Tag("unit")
class WildStepsTest {
    /** The largest amount that a message may hold. */
    private static final long MOST = 1L << 53;

    private static final int BATCH = 12;
    private static final WorkerId HONEST = new WorkerId(1);
    private static final WorkerId WILD = new WorkerId(2);
    private static final Group GROUP = new Group(1, List.of(member(HONEST), member(WILD)));

    static List<Measured> wild() {
        List<Measured> all = new ArrayList<>();
        for (int share : new int[] {0, 1, 6, Integer.MAX_VALUE}) {
            for (long computeNs : new long[] {-MOST, -1, 0, 1, MOST}) {
                for (long otherNs : new long[] {0, MOST}) {
                    all.add(new Measured(share, computeNs, otherNs, otherNs, otherNs));
                }
            }
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("wild")
    void thereShouldBeAPlanForTheNextGroup(Measured wild) {
        assertPlanned(
                new BalancedPlan(
                        new SharePlan(BATCH, 1, List.of()), Balance.of(BATCH), Long.MAX_VALUE),
                wild);
    }

    @ParameterizedTest
    @MethodSource("wild")
    void thereShouldBeAPlanForTheNextRound(Measured wild) {
        assertPlanned(
                BalancedPlan.of(new SharePlan(BATCH, 1, List.of()), 64, Long.MAX_VALUE), wild);
    }

    private static void assertPlanned(BalancedPlan source, Measured wild) {
        Measured usual = new Measured(6, 6_000_000, 1_000, 1_000, 100);
        Plan unused = source.plan(GROUP, 1, 0);
        for (int step = 1; step <= 60; step++) {
            source.stepped(step, Map.of(HONEST, usual, WILD, wild));
            String why = source.wish(step);
            if (why != null || step % 20 == 0) {
                Plan plan = source.plan(GROUP, step + 1, step);
                assertThat(plan.shares().stream().mapToInt(s -> s).sum()).isEqualTo(BATCH);
            }
        }
    }

    private static Member member(WorkerId worker) {
        return new Member(worker, "host", "", "127.0.0.1", 1000 + worker.value(), "kernels");
    }
}
