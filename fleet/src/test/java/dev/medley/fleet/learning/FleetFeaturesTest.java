package dev.medley.fleet.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.fleet.view.Demand;
import dev.medley.fleet.view.FleetView;
import dev.medley.fleet.view.JobProgress;
import dev.medley.fleet.view.JobView;
import dev.medley.fleet.view.MachineType;
import dev.medley.fleet.view.Terms;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class FleetFeaturesTest {
    private static final double HOUR_S = 3600;

    /** Two jobs for each machine: one runs at half of its best rate, the other waits. */
    private static FleetView view(int machines) {
        List<JobView> jobs = new ArrayList<>();
        for (int i = 0; i < machines; i++) {
            jobs.add(job(i, HOUR_S * 10, new int[] {0, 1}));
            jobs.add(job(machines + i, HOUR_S * 99, new int[] {0, 0}));
        }
        return new FleetView(
                100 * HOUR_S,
                360,
                List.of(MachineType.of("fast", 0), MachineType.of("slow", machines)),
                jobs);
    }

    private static JobView job(long id, double arrivalS, int[] held) {
        return new JobView(
                id,
                "kind",
                Demand.gang(1),
                new double[] {2, 1},
                held,
                new JobProgress(arrivalS, 0, 0, 4 * HOUR_S, 0),
                Terms.NONE);
    }

    @Test
    void shouldDescribeTheStateInItsOwnUnits() {
        double[] features = FleetFeatures.of(view(3));
        assertThat(features).hasSize(FleetFeatures.COUNT);
        assertThat(features[0]).isCloseTo(Math.log1p(4), within(1e-12));
        assertThat(features[1]).isCloseTo(Math.log1p(2), within(1e-12));
        assertThat(features[2]).isEqualTo(1);
        assertThat(features[3]).isEqualTo(1);
        assertThat(features[4]).isZero();
        assertThat(features[6]).isCloseTo(Math.log1p(2), within(1e-12));
        assertThat(features[8]).isCloseTo(10, within(1e-12));
        assertThat(features[10]).isCloseTo(Math.log1p(1), within(1e-12));
        assertThat(features[11]).isEqualTo(0.5);
    }

    @Test
    void shouldNotDependOnTheSizeOfTheFleet() {
        assertThat(FleetFeatures.of(view(50))).containsExactly(FleetFeatures.of(view(5)));
    }

    @Test
    void shouldDescribeAnEmptyFleet() {
        double[] features =
                FleetFeatures.of(new FleetView(0, 360, List.of(MachineType.of("a", 2)), List.of()));
        assertThat(features).containsOnly(0);
    }
}
