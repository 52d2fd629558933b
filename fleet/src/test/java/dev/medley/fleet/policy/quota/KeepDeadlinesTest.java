package dev.medley.fleet.policy.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.policy.index.IndexOptions;
import dev.medley.fleet.policy.index.IndexPolicy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class KeepDeadlinesTest {
    private static final List<MachineType> ONE =
            List.of(MachineType.of("fast", 1), MachineType.of("slow", 0));
    private static final Policy INDEX = new IndexPolicy("index", IndexOptions.DEFAULTS);

    /** The view is of second 1,000; the fast machine does 2 a second. */
    private static JobView job(long id, int priority, double deadlineS, double work) {
        Terms terms = new Terms("u", "", priority, 1, deadlineS, Double.POSITIVE_INFINITY);
        return SharedFleet.job(id, Demand.gang(1), terms, new int[] {0, 0}, work);
    }

    private static Decision decide(Policy policy, JobView... jobs) {
        return new KeepDeadlines(policy).decide(SharedFleet.view(ONE, jobs));
    }

    private static List<Long> running(Decision decision) {
        return decision.grants().stream().map(grant -> grant.job()).toList();
    }

    @Test
    void shouldPutAJobFirstWhoseDeadlineIsInDanger() {
        JobView shorter = job(1, 0, Double.POSITIVE_INFINITY, 100);
        JobView urgent = job(2, 0, 1000 + 60 + 5000 + 100, 10_000);
        Decision decision = decide(INDEX, shorter, urgent);
        assertThat(running(decision)).containsExactly(2L);
        assertThat(decision.grants().get(0).why()).startsWith("its deadline leaves 1 min 40 s");
        JobView early = job(2, 0, 1000 + 60 + 5000 + 50_000, 10_000);
        assertThat(running(decide(INDEX, shorter, early))).containsExactly(1L);
    }

    @Test
    void shouldGiveNoPrecedenceForADeadlineThatCannotBeKept() {
        JobView shorter = job(1, 0, Double.POSITIVE_INFINITY, 100);
        JobView late = job(2, 0, 1000 + 4000, 10_000);
        assertThat(running(decide(INDEX, shorter, late))).containsExactly(1L);
    }

    @Test
    void shouldLeaveHigherPrioritiesFirst() {
        JobView higher = job(1, 1, Double.POSITIVE_INFINITY, 100);
        JobView urgent = job(2, 0, 1000 + 60 + 5000 + 100, 10_000);
        assertThat(running(decide(INDEX, higher, urgent))).containsExactly(1L);
        Policy byTurn = new FairShare(new SharedFleet.ById(), ShareOptions.EQUAL, Usage.NONE);
        assertThat(running(decide(byTurn, job(3, 0, Double.POSITIVE_INFINITY, 100), urgent)))
                .containsExactly(2L);
    }
}
