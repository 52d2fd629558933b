package dev.medley.fleet.cost.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.base.ConfigException;
import dev.medley.fleet.cost.market.SpotGrid;
import dev.medley.fleet.cost.spot.SpotJob;
import dev.medley.fleet.cost.spot.SpotPolicies;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class SpotReplayTest {
    private static final double[] ONE = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

    @Test
    void shouldWaitUntilTheLatestMomentThatStillKeepsTheDeadline() {
        SpotGrid grid =
                ClairvoyantOptimumTest.oneZone(
                        ONE, true, true, true, false, false, false, false, false, false, false);

        ReplayOutcome outcome = play(grid, ClairvoyantOptimumTest.job(4, 9, 1), "greedy");

        // Spot 0 to 3 (restart, two hours of work), waits 3 to 6, on demand 6 to 9.
        assertEquals(
                new ReplayOutcome(3 + 9, 9 * 3600, 0, 2, 3 * 3600, 3 * 3600, 3 * 3600), outcome);
    }

    @Test
    void shouldGoOnDemandAsSoonAsItIsBehindTheLine() {
        SpotGrid grid =
                ClairvoyantOptimumTest.oneZone(
                        ONE, true, true, true, false, false, false, false, false, false, false);

        ReplayOutcome outcome = play(grid, ClairvoyantOptimumTest.job(4, 9, 1), "uniform-progress");

        // Two of four hours are done at 3; the line passes them after 4.5 of 9.
        assertEquals(2 * 3600, outcome.waitedS());
        assertEquals(8 * 3600, outcome.endS());
    }

    @Test
    void shouldPayForTheCheckpointsWayToAnotherRegion() {
        boolean[] first = {true, true, false, false, false, false};
        boolean[] then = {false, false, true, true, true, true};
        double[] cheap = {1, 1, 1, 1, 1, 1};
        SpotGrid grid =
                new SpotGrid(
                        3600,
                        6,
                        List.of(
                                new SpotGrid.Zone("a1a", "a1", 9, cheap, first),
                                new SpotGrid.Zone("b1a", "b1", 9, cheap, then)));
        SpotJob job = new SpotJob(4 * 3600, 5 * 3600, 3600, 0, 0.25);

        assertEquals(4.25, play(grid, job, "greedy").cost(), 1e-12);
        assertEquals(4.25, ClairvoyantOptimum.of(grid, 0, job), 1e-12);
    }

    @Test
    void shouldRefuseUnknownPoliciesAndDeadlinesThatCannotBeKept() {
        ConfigException refused =
                assertThrows(ConfigException.class, () -> SpotPolicies.named("gredy"));
        assertTrue(refused.getMessage().contains("did you mean greedy?"), refused.getMessage());
        ConfigException tooSoon =
                assertThrows(ConfigException.class, () -> ClairvoyantOptimumTest.job(4, 4, 1));
        assertTrue(tooSoon.getMessage().contains("cannot be kept"), tooSoon.getMessage());
    }

    /** After a day with hardly any spot machine comes a better one. */
    @Test
    void shouldNotGoOnDemandAtOnceWhileThereIsTimeToSpare() {
        int steps = 500;
        double[] price = new double[steps];
        boolean[] up = new boolean[steps];
        for (int step = 0; step < steps; step++) {
            price[step] = 1;
            up[step] = step < 288 ? step % 12 == 0 : step % 30 >= 6;
        }
        SpotGrid.Zone zone = new SpotGrid.Zone("a1a", "a1", 10.0 / 3, price, up);
        SpotGrid grid = new SpotGrid(300, steps, List.of(zone));
        SpotJob job = new SpotJob(8 * 3600, 12 * 3600, 300, 600, 0);

        ReplayOutcome outcome = SpotReplay.of(grid, 288, job, SpotPolicies.named("expected-cost"));

        assertEquals(0, outcome.onDemandS());
        assertEquals(ClairvoyantOptimum.of(grid, 288, job), outcome.cost(), 1e-9);
    }

    private static ReplayOutcome play(SpotGrid grid, SpotJob job, String policy) {
        return SpotReplay.of(grid, 0, job, SpotPolicies.named(policy));
    }
}
