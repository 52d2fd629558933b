package dev.medley.fleet.policy.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Carried;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class KeepRunningTest {
    private static final List<MachineType> TWO =
            List.of(MachineType.of("fast", 1), MachineType.of("slow", 1));

    private static JobView job(long id, int priority, int... held) {
        Terms terms = new Terms("u", "", priority, 1, Double.POSITIVE_INFINITY, 1e9);
        return SharedFleet.job(id, Demand.gang(1), terms, held, 1000);
    }

    private static Decision decide(double heldS, JobView... jobs) {
        Policy policy = new KeepRunning(kept -> new SharedFleet.ById(), Map.of(3L, heldS));
        return policy.decide(SharedFleet.view(TWO, jobs));
    }

    private static List<Long> running(Decision decision) {
        return decision.grants().stream().map(grant -> grant.job()).toList();
    }

    @Test
    void shouldKeepAJobWhereItJustBegan() {
        // Its restart takes 60 s, so 600 s are its while; jobs 1 and 2 would take both machines.
        Decision kept = decide(100, job(1, 0, 0, 0), job(2, 0, 0, 0), job(3, 0, 1, 0));
        assertThat(running(kept)).containsExactlyInAnyOrder(1L, 3L);
        assertThat(kept.grants().get(0).why()).startsWith("it was just given these machines");
        Decision over = decide(700, job(1, 0, 0, 0), job(2, 0, 0, 0), job(3, 0, 1, 0));
        assertThat(running(over)).containsExactly(1L, 2L);
    }

    @Test
    void shouldGiveAnotherMachineToWhatWouldStartInItsPlace() {
        Decision kept = decide(100, job(1, 0, 0, 0), job(3, 0, 1, 0));
        assertThat(kept.grants())
                .anySatisfy(
                        grant -> {
                            assertThat(grant.job()).isEqualTo(1);
                            assertThat(grant.machines()).containsExactly(0, 1);
                        });
    }

    /** Remembers which jobs it was asked about, and who got something. */
    private record Seen(List<Long> asked, List<Long> granted) implements Carried {
        @Override
        public Carried granted(FleetView view, List<Grant> grants) {
            return new Seen(asked, grants.stream().map(Grant::job).sorted().toList());
        }
    }

    @Test
    void whatAPolicyRemembersShouldBeOfAllJobsAndOfWhatTheyGot() {
        Policy remembers =
                new Policy() {
                    @Override
                    public String name() {
                        return "remembers";
                    }

                    @Override
                    public Decision decide(FleetView view) {
                        Decision decision = new SharedFleet.ById().decide(view);
                        List<Long> asked = view.jobs().stream().map(JobView::id).toList();
                        return new Decision(
                                decision.grants(),
                                decision.waiting(),
                                "",
                                new Seen(asked, List.of()));
                    }
                };
        Decision kept =
                new KeepRunning(by -> remembers, Map.of(3L, 100.0))
                        .decide(
                                SharedFleet.view(
                                        TWO, job(1, 0, 0, 0), job(2, 0, 0, 0), job(3, 0, 1, 0)));
        assertThat(kept.carried()).isEqualTo(new Seen(List.of(1L, 2L, 3L), List.of(1L, 3L)));
    }

    @Test
    void shouldGiveWayToAHigherPriorityAndToAMuchShorterJob() {
        Decision higher = decide(100, job(1, 1, 0, 0), job(2, 1, 0, 0), job(3, 0, 1, 0));
        assertThat(running(higher)).containsExactly(1L, 2L);
        JobView[] brief = {brief(1), brief(2), job(3, 0, 1, 0)};
        assertThat(running(decide(100, brief))).containsExactly(1L, 2L);
    }

    @Test
    void shouldMoveAJobWhereThatSavesMuchMoreThanItCosts() {
        // On the slow machine it needs 1,000 s more, on the fast one 500 and a restart of 60.
        Decision moved = decide(100, job(3, 0, 0, 1));
        assertThat(moved.grants().get(0).machines()).containsExactly(1, 0);
        Terms terms = new Terms("u", "", 0, 1, Double.POSITIVE_INFINITY, 1e9);
        JobView little = SharedFleet.job(3, Demand.gang(1), terms, new int[] {0, 1}, 200);
        assertThat(decide(100, little).grants().get(0).machines()).containsExactly(0, 1);
    }

    @Test
    void shouldCountWhatIsKeptToItsGroupsQuota() {
        ShareOptions one =
                new ShareOptions(
                        Map.of("", new GroupShare(1, 1)), List.of(), ShareOptions.HALF_LIFE_S);
        Policy policy =
                new KeepRunning(
                        kept -> new FairShare(new SharedFleet.ById(), one, Usage.NONE, kept),
                        Map.of(3L, 100.0));
        Decision decision = policy.decide(SharedFleet.view(TWO, job(1, 0, 0, 0), job(3, 0, 1, 0)));
        assertThat(running(decision)).containsExactly(3L);
        assertThat(decision.waiting().getOrDefault(1L, "")).contains("may hold 1 machines");
    }

    /** 10 s of work, where the others have 500 on the fast machine. */
    private static JobView brief(long id) {
        Terms terms = new Terms("u", "", 0, 1, Double.POSITIVE_INFINITY, 1e9);
        return SharedFleet.job(id, Demand.gang(1), terms, new int[] {0, 0}, 20);
    }
}
