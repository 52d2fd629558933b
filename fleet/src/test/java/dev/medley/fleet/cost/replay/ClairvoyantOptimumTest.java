package dev.medley.fleet.cost.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.fleet.cost.market.SpotGrid;
import dev.medley.fleet.cost.spot.SpotChoice;
import dev.medley.fleet.cost.spot.SpotJob;
import dev.medley.fleet.cost.spot.SpotPlace;
import dev.medley.fleet.cost.spot.SpotPolicies;
import dev.medley.fleet.cost.spot.SpotPolicy;
import dev.medley.fleet.cost.spot.SpotState;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ClairvoyantOptimumTest {
    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    @Test
    @Tag("unit")
    void shouldWaitForWhatIsCheapAndCountTheRestart() {
        double[] price = {1, 1, 1, 0.1, 0.1, 0.1};
        SpotGrid grid = oneZone(price, true, true, true, true, true, true);

        // Two steps of work and one of the restart, an hour each: the last three are the cheapest.
        assertEquals(0.3, ClairvoyantOptimum.of(grid, 0, job(2, 6, 1)), 1e-12);
        // By the fifth hour: 1 + 0.1 + 0.1.
        assertEquals(1.2, ClairvoyantOptimum.of(grid, 0, job(2, 5, 1)), 1e-12);
    }

    @Test
    @Tag("unit")
    void shouldGoOnDemandWhereSpotMachinesDoNotLive() {
        double[] price = {1, 1, 1, 1, 1, 1};
        SpotGrid grid = oneZone(price, true, false, true, false, true, false);

        // A spot machine is gone before its restart is over; three hours on demand cost 9.
        assertEquals(9, ClairvoyantOptimum.of(grid, 0, job(2, 6, 1)), 1e-12);
        // Without a restart two hours of spot do.
        assertEquals(2, ClairvoyantOptimum.of(grid, 0, job(2, 6, 0)), 1e-12);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldBeWhatTryingEverythingFinds(long seed) {
        DrawnMarket drawn = DrawnMarket.of(seed, 7, 2);
        int decisions = (int) (drawn.job().deadlineS() / DrawnMarket.STEP_S);

        double least = tried(drawn, decisions, new ArrayList<>());

        assertEquals(least, ClairvoyantOptimum.of(drawn.grid(), 0, drawn.job()), 1e-9);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void shouldBeBeatenByNoPolicyAndNoneShouldBeLate(long seed) {
        DrawnMarket drawn = DrawnMarket.of(seed, 120, 40);
        double optimum = ClairvoyantOptimum.of(drawn.grid(), 0, drawn.job());

        for (SpotPolicy policy : SpotPolicies.all()) {
            ReplayOutcome outcome = SpotReplay.of(drawn.grid(), 0, drawn.job(), policy);
            assertEquals(0, outcome.missedByS(), () -> policy.name() + " is late: " + outcome);
            assertTrue(
                    outcome.cost() >= optimum - 1e-9,
                    () -> policy.name() + " pays less than " + optimum + ": " + outcome);
            assertEquals(outcome, SpotReplay.of(drawn.grid(), 0, drawn.job(), policy));
        }
    }

    /** The least cost over all plans that begin with {@code plan}, each of them replayed. */
    private static double tried(DrawnMarket drawn, int decisions, List<SpotPlace> plan) {
        ReplayOutcome outcome = SpotReplay.of(drawn.grid(), 0, drawn.job(), new Plan(plan));
        boolean done = outcome.endS() <= plan.size() * DrawnMarket.STEP_S;
        if (done || plan.size() == decisions) {
            return done && outcome.missedByS() == 0 ? outcome.cost() : Double.POSITIVE_INFINITY;
        }
        double least = Double.POSITIVE_INFINITY;
        List<SpotPlace> places = new ArrayList<>(List.of(SpotPlace.NOWHERE));
        for (int zone = 0; zone < drawn.grid().zones().size(); zone++) {
            places.add(SpotPlace.onDemand(zone));
            if (drawn.grid().zones().get(zone).up()[plan.size()]) {
                places.add(SpotPlace.spot(zone));
            }
        }
        for (SpotPlace place : places) {
            List<SpotPlace> longer = new ArrayList<>(plan);
            longer.add(place);
            least = Math.min(least, tried(drawn, decisions, longer));
        }
        return least;
    }

    /** Does what was written down, then waits. */
    private record Plan(List<SpotPlace> places) implements SpotPolicy {
        @Override
        public String name() {
            return "plan";
        }

        @Override
        public SpotChoice choose(SpotState state) {
            int step = (int) Math.round(state.nowS() / DrawnMarket.STEP_S);
            SpotPlace place = step < places.size() ? places.get(step) : SpotPlace.NOWHERE;
            return new SpotChoice(place, "As written down.");
        }
    }

    static SpotGrid oneZone(double[] price, boolean... up) {
        return new SpotGrid(3600, up.length, List.of(new SpotGrid.Zone("a1a", "a1", 3, price, up)));
    }

    static SpotJob job(int workH, int deadlineH, int restartH) {
        return new SpotJob(workH * 3600, deadlineH * 3600, 3600, restartH * 3600, 0);
    }
}
