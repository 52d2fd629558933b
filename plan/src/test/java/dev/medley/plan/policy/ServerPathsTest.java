package dev.medley.plan.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Group;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three workers at a site, of which two share a machine, and one at another; by hand. */
@Tag("unit")
class ServerPathsTest {
    private static final Group GROUP = Groups.at("a", "a", "a", "b");
    private static final List<List<Integer>> MACHINES =
            List.of(List.of(1, 2), List.of(3), List.of(4));

    /** Of a byte, ns, from machine to machine. */
    private static final double[][] WAYS_NS = {{0, 1, 10}, {2, 0, 4}, {5, 8, 0}};

    private final ServerPaths ways = ServerPaths.of(GROUP, report(-1, -1));

    @Test
    void aByteShouldTakeTheMeanOfItsWaysInTheSlowerDirection() {
        assertThat(ways.toAllNsPerByte(0)).isCloseTo((2 * 1 + 3 * 10) / 3.0, within(1e-9));
        assertThat(ways.toAllNsPerByte(2)).isCloseTo((1 + 1 + 3 * 8) / 3.0, within(1e-9));
        assertThat(ways.toAllNsPerByte(3)).isCloseTo((10 + 10 + 4) / 3.0, within(1e-9));
    }

    @Test
    void thoseOfAMachineShouldShareItsWaysInsideTheSite() {
        assertThat(ways.insideNsPerByte(0)).isCloseTo(2 * 2 / 2.0, within(1e-9));
        assertThat(ways.insideNsPerByte(2)).isCloseTo((2 + 2) / 2.0, within(1e-9));
        assertThat(ways.insideNsPerByte(3)).as("alone").isZero();
    }

    @Test
    void whatLeavesTheSiteShouldHaveTheBorderForItself() {
        assertThat(ways.outsideNsPerByte(0)).isCloseTo(10, within(1e-9));
        assertThat(ways.outsideNsPerByte(2)).isCloseTo(8, within(1e-9));
        assertThat(ways.outsideNsPerByte(3)).isCloseTo((10 + 10 + 4) / 3.0, within(1e-9));
    }

    @Test
    void waysShouldBeWholeWhereAllBetweenMachinesAreMeasured() {
        assertThat(ways.isWhole()).as("a machine's way to itself is never measured").isTrue();
        assertThat(ServerPaths.of(GROUP, report(1, 2)).isWhole()).isFalse();
        assertThat(ServerPaths.of(Groups.at("a", "a", "a", "b", "b"), report(-1, -1)).isWhole())
                .as("nobody has seen the fifth")
                .isFalse();
    }

    /**
     * By hand: with these shares a byte takes 8/3, 4/3 and 8/3 ns to add and apply; ways take 10
     * each.
     */
    @Test
    void serversOfASiteShouldShareWhatIsAtHomeThere() {
        ServerPaths alike = ServerPaths.of(Groups.at("a", "a", "b"), alike());
        ServerPlacement.Decision placed =
                ServerPlacement.of(
                        Groups.at("a", "a", "b"), Servers.PER_SITE, List.of(10, 20, 10), alike);
        double first = (10 + 8 / 3.0) / (20 + 8);
        assertThat(placed.parts().get(0)).isCloseTo(0.75 * first, within(1e-5));
        assertThat(placed.parts().get(1)).isCloseTo(0.75 * (1 - first), within(1e-5));
        assertThat(placed.parts().get(2)).isCloseTo(0.25, within(1e-5));
        double longestNs = 10 + first * (10 + 16 / 3.0);
        double ofEqualNs = 10 + 0.5 * (10 + 16 / 3.0);
        assertThat(placed.ofEqual()).isCloseTo(longestNs / ofEqualNs, within(1e-5));
    }

    private static LinkReport alike() {
        LinkPath way = new LinkPath(1000, 1e8, Origin.MEASURED);
        List<LinkPath> row = List.of(way, way, way);
        List<List<Integer>> workers = List.of(List.of(1), List.of(2), List.of(3));
        return new LinkReport(1, workers, List.of(row, row, row), List.of(0, 0, 0), "by the test");
    }

    private static LinkReport report(int assumedFrom, int assumedTo) {
        List<List<LinkPath>> rows = new ArrayList<>();
        for (int from = 0; from < WAYS_NS.length; from++) {
            List<LinkPath> row = new ArrayList<>();
            for (int to = 0; to < WAYS_NS.length; to++) {
                boolean isAssumed = from == to || from == assumedFrom && to == assumedTo;
                double rate = from == to ? 1e12 : 1e9 / WAYS_NS[from][to];
                row.add(new LinkPath(1000, rate, isAssumed ? Origin.ASSUMED : Origin.MEASURED));
            }
            rows.add(row);
        }
        return new LinkReport(1, MACHINES, rows, List.of(0, 0, 0), "by the test");
    }
}
