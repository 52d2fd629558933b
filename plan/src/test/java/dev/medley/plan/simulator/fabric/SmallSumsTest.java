package dev.medley.plan.simulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.route.TreeHop;
import dev.medley.plan.simulator.sum.SliceSum;
import dev.medley.plan.simulator.sum.ToEveryone;
import dev.medley.plan.simulator.sum.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums of slices whose messages cost more than their bytes. */
@Tag("unit")
class SmallSumsTest {
    private static final double LATENCY_NS = 100_000;
    private static final double HOP_NS = LATENCY_NS + Costs.MESSAGE_NS;
    private static final int BYTES = 64;

    private interface Making {
        SliceSum of(EventQueue events, Fabric fabric, double bytes, IntConsumer done);
    }

    private static double ns(int ranks, Making making) {
        EventQueue events = new EventQueue();
        Fabric fabric =
                new Fabric(
                        new SimulatedCluster(
                                List.of(Clusters.kind("a", "x", ranks, 1)),
                                SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN)),
                        1);
        List<Integer> through = new ArrayList<>();
        SliceSum course = making.of(events, fabric, BYTES, through::add);
        for (int rank = 0; rank < ranks; rank++) {
            int entering = rank;
            // One after the other: what comes before a rank has entered waits.
            events.at(rank, () -> course.enter(entering));
        }
        events.run();
        assertThat(through).hasSize(ranks).doesNotHaveDuplicates();
        return events.nowNs();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 8, 64})
    void aTreeShouldTakeItsHops(int ranks) {
        assertThat(ns(ranks, Tree::new))
                .isCloseTo(TreeHop.inRow(ranks) * HOP_NS, Percentage.withPercentage(2));
    }

    /** A rank without a guest swaps while others still add: then one hop of them costs nothing. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5, 7, 12})
    void guestsShouldCostAHopOrTwo(int ranks) {
        assertThat(ns(ranks, Tree::new) / HOP_NS)
                .isBetween(TreeHop.inRow(ranks) - 1.0, 1.02 * TreeHop.inRow(ranks));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8, 64})
    void fromEveryoneToEveryoneShouldTakeAMessageOfEach(int ranks) {
        assertThat(ns(ranks, ToEveryone::new))
                .isCloseTo(
                        LATENCY_NS + (ranks - 1) * Costs.MESSAGE_NS, Percentage.withPercentage(4));
    }
}
