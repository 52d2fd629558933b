package dev.medley.exchange.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.route.SiteMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A ring holds every rank once and is as cheap as can be. */
@Tag("property")
class RingOrderTest {
    static LongStream seeds() {
        return LongStream.rangeClosed(1, 40);
    }

    private static double[][] costs(RandomGenerator random, int ranks) {
        double[][] costs = new double[ranks][ranks];
        for (double[] row : costs) {
            Arrays.setAll(row, i -> 1 + random.nextInt(100));
        }
        return costs;
    }

    private static List<Integer> all(int ranks) {
        return IntStream.range(0, ranks).boxed().toList();
    }

    @Test
    void shouldEnterEachSiteOnce() {
        RingOrder order =
                RingOrder.bySite(new SiteMap(List.of(List.of(0, 3, 4), List.of(1), List.of(2, 5))));
        assertThat(order.ranks()).containsExactly(0, 3, 4, 1, 2, 5);
        assertThat(order.why()).contains("3 borders");
        assertThat(order.after(5, 1)).isZero();
        assertThat(order.after(0, -1)).isEqualTo(5);
    }

    @Test
    void shouldGoByRankInOneSite() {
        assertThat(RingOrder.bySite(new SiteMap(List.of(all(5)))).ranks()).isEqualTo(all(5));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldFindTheCheapestOfAllOrders(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int ranks = 1 + random.nextInt(7);
        double[][] costs = costs(random, ranks);
        RingOrder found = RingOrder.byCost(costs);
        assertThat(found.ranks()).containsExactlyInAnyOrderElementsOf(all(ranks)).startsWith(0);
        assertThat(RingOrder.bottleneck(found.ranks(), costs))
                .isEqualTo(least(new ArrayList<>(List.of(0)), costs));
        assertThat(RingOrder.byCost(costs)).isEqualTo(found);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldHardlyZigZagAmongManyRanksOfThreeSites(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int ranks = 11 + random.nextInt(10);
        int[] site = random.ints(ranks, 0, 3).toArray();
        double[][] costs = new double[ranks][ranks];
        for (int a = 0; a < ranks; a++) {
            for (int b = 0; b < ranks; b++) {
                costs[a][b] = (site[a] == site[b] ? 1 : 100) + random.nextDouble();
            }
        }
        List<Integer> order = RingOrder.byCost(costs).ranks();
        assertThat(order).containsExactlyInAnyOrderElementsOf(all(ranks));
        long crossings =
                IntStream.range(0, ranks)
                        .filter(i -> site[order.get(i)] != site[order.get((i + 1) % ranks)])
                        .count();
        assertThat(crossings).isLessThanOrEqualTo(6);
    }

    private static double least(List<Integer> way, double[][] costs) {
        if (way.size() == costs.length) {
            return RingOrder.bottleneck(way, costs);
        }
        double least = Double.POSITIVE_INFINITY;
        for (int next = 1; next < costs.length; next++) {
            if (!way.contains(next)) {
                way.add(next);
                least = Math.min(least, least(way, costs));
                way.remove(way.size() - 1);
            }
        }
        return least;
    }
}
