package dev.medley.fleet.policy.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.fleet.catalog.Policies;
import dev.medley.fleet.policy.Policy;
import dev.medley.fleet.view.Decision;
import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class WeighEgressTest {
    private static final Policy FASTEST = Policies.named("fifo_fastest");

    /** Fast for 2 an hour, and slow for 1. */
    private static FleetView view(double price, double work, int... held) {
        List<MachineType> types =
                List.of(new MachineType("fast", 1, 2 * price), new MachineType("slow", 1, price));
        JobView job =
                new JobView(
                        1,
                        "k",
                        Demand.gang(1),
                        new double[] {2, 1},
                        held,
                        new JobProgress(0, 0, 0, work, 0),
                        Terms.NONE);
        return new FleetView(0, 60, types, List.of(job));
    }

    private static int[] granted(Decision decision) {
        return decision.grants().get(0).machines();
    }

    @Test
    void shouldComparePriceWithSpeed() {
        // 1 h on the fast machine or 2 h on the slow one: an hour is worth 2 of egress.
        Map<Long, double[]> little = Map.of(1L, new double[] {1.9, 0});
        Map<Long, double[]> much = Map.of(1L, new double[] {2.1, 0});
        FleetView view = view(1, 7200, 0, 0);
        assertThat(granted(new WeighEgress(FASTEST, little).decide(view))).containsExactly(1, 0);
        assertThat(granted(new WeighEgress(FASTEST, much).decide(view))).containsExactly(0, 1);
    }

    @Test
    void shouldWeighJobsOfUnknownSizeByAnHour() {
        FleetView view = view(1, Double.NaN, 0, 0);
        Map<Long, double[]> much = Map.of(1L, new double[] {2.1, 0});
        assertThat(granted(new WeighEgress(FASTEST, much).decide(view))).containsExactly(0, 1);
    }

    @Test
    void shouldStillRunWhereEverythingIsDear() {
        Map<Long, double[]> both = Map.of(1L, new double[] {1e9, 1e9});
        for (double work : new double[] {0, 1e-9, 7200, Double.NaN}) {
            Decision decision = new WeighEgress(FASTEST, both).decide(view(1, work, 0, 0));
            assertThat(decision.grants()).as("work %s", work).hasSize(1);
        }
    }

    @Test
    void shouldChangeNothingWithoutPrices() {
        Map<Long, double[]> much = Map.of(1L, new double[] {100, 0});
        FleetView unpriced = view(Double.NaN, 7200, 0, 0);
        assertThat(granted(new WeighEgress(FASTEST, much).decide(unpriced))).containsExactly(1, 0);
        FleetView[] seen = new FleetView[1];
        Policy looks =
                new Policy() {
                    @Override
                    public String name() {
                        return "looks";
                    }

                    @Override
                    public Decision decide(FleetView view) {
                        seen[0] = view;
                        return new Decision(List.of(), Map.of());
                    }
                };
        FleetView view = view(1, 7200, 0, 0);
        new WeighEgress(looks, Map.of()).decide(view);
        assertThat(seen[0]).isSameAs(view);
    }
}
