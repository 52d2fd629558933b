package dev.medley.plan.simulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class SimulatedClusterTest {
    @Test
    void aPlannerShouldSeeEachMachineAndWhatOneStreamGetsThrough() {
        SimulatedMachine two = Clusters.kind("a", "x", 2, 1);
        SimulatedMachine far = Clusters.kind("b", "y", 1, 1);
        SimulatedMachine thin =
                new SimulatedMachine(far.machine().called("c"), 1, far.time(), 1e6, far.unrest());
        SimulatedLink lossy = new SimulatedLink(Clusters.way(40, 5e7), 0, 1e-4);
        SimulatedCluster cluster =
                new SimulatedCluster(
                        List.of(two, far, thin),
                        SimulatedLinks.of(LinkPath.assumedInside(), lossy));
        ClusterProfile profile = cluster.profile();
        assertThat(profile.machines())
                .extracting(Machine::name)
                .containsExactly("a#1", "a#2", "b", "c");
        assertThat(profile.way(0, 1)).isEqualTo(LinkPath.assumedInside());
        assertThat(profile.way(2, 3).bytesPerSecond()).isEqualTo(1e6);
        assertThat(profile.way(0, 2).origin()).isEqualTo(Origin.DECLARED);
        assertThat(profile.way(0, 2).latencyNs()).isEqualTo(40_000_000);
        // Mathis: 1448 B / 80 ms * sqrt(1.5 / 1e-4), of 6.25 MB/s.
        assertThat(profile.way(0, 2).bytesPerSecond())
                .isCloseTo(2.217e6, Percentage.withPercentage(0.1));
        assertThat(profile.way(0, 3).bytesPerSecond()).isEqualTo(1e6);
    }
}
