package dev.medley.fleet.policy.quota;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.base.Seeds;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.Grant;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WithinBudgetTest {
    private static final List<MachineType> PRICED =
            List.of(new MachineType("fast", 4, 3), new MachineType("slow", 4, 1));

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldOverrunNoBudgetByMoreThanARound(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        Policy policy = new WithinBudget(new SharedFleet.ById());
        Demand demand = new Demand(1, 1 + random.nextInt(4));
        double budget = 5 * random.nextDouble();
        double left = budget;
        double dearestRound = 4 * 3 * SharedFleet.ROUND_S / 3600;
        int rounds = 0;
        while (rounds < 1000) {
            JobView job = SharedFleet.job(1, demand, terms(left), new int[2], 1e9);
            List<Grant> grants = policy.decide(SharedFleet.view(PRICED, job)).grants();
            if (grants.isEmpty()) {
                break;
            }
            int[] machines = grants.get(0).machines();
            left -= (3 * machines[0] + machines[1]) * SharedFleet.ROUND_S / 3600;
            rounds++;
        }
        assertTrue(rounds > 0 && rounds < 1000);
        assertTrue(left <= 0 && -left <= dearestRound, "left " + left);
    }

    @Test
    @Tag("unit")
    void shouldNotTakeAMachineWithoutAPriceForFree() {
        List<MachineType> half = List.of(MachineType.of("fast", 4), new MachineType("slow", 4, 1));
        JobView job = SharedFleet.job(1, Demand.gang(2), terms(5), new int[2], 10);
        Policy policy = new WithinBudget(new SharedFleet.ById());

        Decision decision = policy.decide(SharedFleet.view(half, job));
        assertArrayEquals(new int[] {0, 2}, decision.grants().get(0).machines());

        List<MachineType> none = List.of(MachineType.of("fast", 4), MachineType.of("slow", 4));
        Map<Long, String> waiting = policy.decide(SharedFleet.view(none, job)).waiting();
        assertTrue(waiting.getOrDefault(1L, "").contains("has a price"), waiting.toString());
    }

    @Test
    @Tag("unit")
    void shouldMoveAJobOnlyWhereThatGainsMoreThanItsRestart() {
        Policy policy = new MoveForGain(new SharedFleet.ById());
        // On the slow machine 100 s are left; on the fast one 50, and 60 of the restart.
        JobView little = SharedFleet.job(1, Demand.gang(1), terms(5), new int[] {0, 1}, 100);
        assertArrayEquals(new int[] {0, 1}, moved(policy, SharedFleet.view(PRICED, little)));
        JobView much = SharedFleet.job(1, Demand.gang(1), terms(5), new int[] {0, 1}, 200);
        assertArrayEquals(new int[] {1, 0}, moved(policy, SharedFleet.view(PRICED, much)));
        // Its machine went to somebody else: it has to move.
        List<MachineType> one =
                List.of(new MachineType("fast", 1, 3), new MachineType("slow", 0, 1));
        assertArrayEquals(new int[] {1, 0}, moved(policy, SharedFleet.view(one, little)));
    }

    private static int[] moved(Policy policy, FleetView view) {
        List<Grant> grants = policy.decide(view).grants();
        assertEquals(1, grants.size());
        return grants.get(0).machines();
    }

    private static Terms terms(double budget) {
        return new Terms("ann", "a", 0, 1, Double.POSITIVE_INFINITY, budget);
    }
}
