package dev.medley.base.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sums of words show the order of additions: all ranks end with the same, of each rank once. */
@Tag("property")
class TreeHopTest {
    static IntStream sizes() {
        return IntStream.rangeClosed(1, 40);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void allRanksShouldAddEveryRankOnceAndInOneOrder(int size) {
        List<String> sums = sums(size);
        assertThat(sums).containsOnly(sums.get(0));
        for (int rank = 0; rank < size; rank++) {
            assertThat(sums.get(0).split("\\b" + rank + "\\b", -1)).hasSize(2);
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void noRankShouldTakeMoreHopsThanThereAreInARow(int size) {
        int most =
                IntStream.range(0, size).map(rank -> TreeHop.of(rank, size).size()).max().orElse(0);
        assertThat(most).isEqualTo(TreeHop.inRow(size));
        int up = 32 - Integer.numberOfLeadingZeros(size - 1);
        assertThat(TreeHop.inRow(size)).isLessThanOrEqualTo(2 * up);
    }

    /** Plays all ranks; a rank goes on as soon as what it waits for is there. */
    private static List<String> sums(int size) {
        List<String> sums = new ArrayList<>();
        List<ArrayDeque<TreeHop>> hops = new ArrayList<>();
        Map<List<Integer>, String> sent = new HashMap<>();
        List<Boolean> hasGiven = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            sums.add(String.valueOf(rank));
            hops.add(new ArrayDeque<>(TreeHop.of(rank, size)));
            hasGiven.add(false);
        }
        boolean hasMoved = true;
        while (hasMoved) {
            hasMoved = false;
            for (int rank = size - 1; rank >= 0; rank--) {
                TreeHop hop = hops.get(rank).peek();
                if (hop == null) {
                    continue;
                }
                if (hop.gives() && !hasGiven.get(rank)) {
                    assertThat(sent.put(List.of(rank, hop.place()), sums.get(rank))).isNull();
                    hasGiven.set(rank, true);
                    hasMoved = true;
                }
                String heard = hop.hears() ? sent.remove(List.of(hop.place(), rank)) : "";
                if (heard != null) {
                    sums.set(rank, after(hop, rank, sums.get(rank), heard));
                    hops.get(rank).remove();
                    hasGiven.set(rank, false);
                    hasMoved = true;
                }
            }
        }
        assertThat(hops).allSatisfy(left -> assertThat(left).isEmpty());
        assertThat(sent).isEmpty();
        return sums;
    }

    private static String after(TreeHop hop, int rank, String own, String heard) {
        if (hop.adds()) {
            boolean isFirst = hop.place() < rank;
            return "(" + (isFirst ? heard : own) + "+" + (isFirst ? own : heard) + ")";
        }
        return hop.hears() ? heard : own;
    }
}
