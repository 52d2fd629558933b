package dev.medley.profile.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ClusterProfileTest {
    private static final Machine HERE = new Machine("a", "lan", "fast", 1 << 30, 0.4);
    private static final Machine NEAR = new Machine("b", "lan", "fast", 1 << 30, null);
    private static final Machine FAR = new Machine("c", "wan", "slow", 1 << 30, 0.1);

    @Test
    void shouldAssumeBetterWaysInsideASiteThanBetweenSites() {
        ClusterProfile cluster = ClusterProfile.assumed(List.of(HERE, NEAR, FAR));
        assertThat(cluster.way(0, 1).predictNs(1e6)).isLessThan(cluster.way(0, 2).predictNs(1e6));
        assertThat(cluster.way(2, 1)).isEqualTo(LinkPath.assumedBetween());
        assertThat(cluster.sites()).containsExactly("lan", "wan");
    }

    @Test
    void shouldReadBackWhatItSaysInJson() {
        ClusterProfile cluster = ClusterProfile.assumed(List.of(HERE, NEAR, FAR));
        String json = Json.line(cluster);
        assertThat(Json.parse(json, ClusterProfile.class)).isEqualTo(cluster);
    }

    @Test
    void shouldRefuseTwoMachinesOfOneName() {
        assertThatThrownBy(() -> ClusterProfile.assumed(List.of(HERE, HERE)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("two machines are called a");
    }

    @Test
    void shouldRefuseWaysThatAreNotASquare() {
        assertThatThrownBy(() -> new ClusterProfile(List.of(HERE, NEAR), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("square");
    }
}
