package dev.medley.plan.simulator.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.route.SiteMap;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which servers go together. */
class ServerPanelTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 30);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void eachMachineShouldServeInOnePanelAndEachPanelAtEachSite(long seed) {
        SiteMap sites = drawn(Seeds.generator(seed));
        List<ServerPanel> panels = ServerPanel.panels(sites);
        double whole = panels.stream().mapToDouble(ServerPanel::part).sum();
        assertThat(whole).isCloseTo(1, within(1e-9));
        for (int site = 0; site < sites.sites(); site++) {
            List<Integer> served = new ArrayList<>();
            for (ServerPanel panel : panels) {
                assertThat(panel.at(site)).isNotEmpty();
                served.addAll(panel.at(site));
            }
            assertThat(served).isEqualTo(sites.at(site));
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void thereShouldBeAsManyPanelsAsTheSmallestSiteHasMachinesFourAtMost(long seed) {
        SiteMap sites = drawn(Seeds.generator(seed));
        int least = sites.ranks().stream().mapToInt(List::size).min().orElseThrow();
        assertThat(ServerPanel.panels(sites)).hasSize(Math.min(4, least));
    }

    private static SiteMap drawn(RandomGenerator random) {
        List<List<Integer>> ranks = new ArrayList<>();
        int first = 0;
        for (int site = 2 + random.nextInt(3); site > 0; site--) {
            int last = first + 1 + random.nextInt(9);
            ranks.add(IntStream.range(first, last).boxed().toList());
            first = last;
        }
        return new SiteMap(ranks);
    }
}
