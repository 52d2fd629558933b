package dev.medley.exchange.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.MeasuredRoute;
import dev.medley.base.Seeds;
import dev.medley.base.route.SiteMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What sums follow of what was measured, and that they follow nothing where that does not pay. */
@Tag("property")
class RouteChoiceTest {
    private static final int DIRECT_BYTES = 64 << 10;
    private static final long FAST = 100_000_000;
    private static final long SLOW = 10_000_000;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 30);
    }

    /** A machine for each rank, with a rate for each two, 0 for one that was not measured. */
    private static LinkSurvey survey(int ranks, long roundTripUs, LongBinaryOperator rate) {
        List<Integer> all = IntStream.range(0, ranks).boxed().toList();
        List<List<Long>> us = new ArrayList<>();
        List<List<Long>> rates = new ArrayList<>();
        for (int to : all) {
            us.add(all.stream().map(from -> from.equals(to) ? 0 : roundTripUs).toList());
            rates.add(
                    all.stream()
                            .map(from -> from.equals(to) ? 0 : rate.applyAsLong(from, to))
                            .toList());
        }
        return new LinkSurvey(
                new MachineMap(all.stream().map(i -> "machine-" + i).toList(), all),
                new RoundTrips(us),
                new LinkRates(rates),
                new FoundSites(Collections.nCopies(ranks, 0), "a test"));
    }

    private static SiteMap together(int ranks) {
        return new SiteMap(List.of(IntStream.range(0, ranks).boxed().toList()));
    }

    private static boolean are(long one, long other, int a, int b) {
        return one == a && other == b || one == b && other == a;
    }

    @Test
    void ringsShouldAvoidASlowLink() {
        LinkSurvey survey = survey(4, 10_000, (a, b) -> are(a, b, 1, 2) ? SLOW : FAST);
        MeasuredRoute route = RouteChoice.of(together(4), survey, DIRECT_BYTES);
        List<Integer> ring = route.ring();
        assertThat(ring).containsExactlyInAnyOrder(0, 1, 2, 3).startsWith(0);
        assertThat(Math.floorMod(ring.indexOf(1) - ring.indexOf(2), 4)).isEqualTo(2);
        assertThat(route.hasFigures()).as("too far apart for a tree").isFalse();
        assertThat(route.why()).contains("rings go through ranks " + ring, "by rank 105.0 ms");
        assertThat(RingOrder.of(together(4), route).ranks()).isEqualTo(ring);
    }

    @Test
    void theOrderOfRanksShouldStayWhereNothingSpeaksAgainstIt() {
        SiteMap four = together(4);
        assertThat(RouteChoice.of(four, survey(4, 10_000, (a, b) -> FAST), DIRECT_BYTES))
                .isEqualTo(MeasuredRoute.NONE);
        assertThat(RouteChoice.of(four, survey(4, 50, (a, b) -> 0), DIRECT_BYTES))
                .as("nothing was probed")
                .isEqualTo(MeasuredRoute.NONE);
        LinkSurvey hardlySlower =
                survey(4, 10_000, (a, b) -> are(a, b, 1, 2) ? FAST * 3 / 4 : FAST);
        assertThat(RouteChoice.of(four, hardlySlower, DIRECT_BYTES)).isEqualTo(MeasuredRoute.NONE);
        LinkSurvey unknownElsewhere =
                survey(4, 10_000, (a, b) -> are(a, b, 1, 2) ? SLOW : are(a, b, 0, 1) ? FAST : 0);
        assertThat(RouteChoice.of(four, unknownElsewhere, DIRECT_BYTES))
                .as("who was not probed may be as slow")
                .isEqualTo(MeasuredRoute.NONE);
    }

    @Test
    void sitesShouldStayTogether() {
        SiteMap sites = new SiteMap(List.of(List.of(0, 2, 4, 6), List.of(1, 3, 5)));
        LinkSurvey survey = survey(7, 300, (a, b) -> are(a, b, 2, 4) ? SLOW : FAST);
        MeasuredRoute route = RouteChoice.of(sites, survey, DIRECT_BYTES);
        assertThat(route.ring().subList(0, 4)).containsExactlyInAnyOrder(0, 2, 4, 6);
        assertThat(route.ring().subList(4, 7)).containsExactly(1, 3, 5);
        assertThat(Math.floorMod(route.ring().indexOf(2) - route.ring().indexOf(4), 4))
                .isEqualTo(2);
        RingOrder whole = RingOrder.of(sites, route);
        assertThat(whole.among(List.of(1, 3, 5)).ranks()).containsExactly(1, 3, 5);
        assertThat(whole.among(List.of(0, 2, 4, 6)).ranks()).isEqualTo(route.ring().subList(0, 4));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatFollowsFromLinksShouldNotDependOnTheNamesOfRanks(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int ranks = 3 + random.nextInt(5);
        long[][] rates = new long[ranks][ranks];
        for (long[] row : rates) {
            for (int i = 0; i < ranks; i++) {
                row[i] = 1_000_000L + random.nextInt(200_000_000);
            }
        }
        List<Integer> names = new ArrayList<>(IntStream.range(0, ranks).boxed().toList());
        Collections.rotate(names, 1 + random.nextInt(ranks - 1));
        Collections.swap(names, 0, ranks - 1);
        double usual =
                slowest(together(ranks), survey(ranks, 100, (a, b) -> rates[(int) a][(int) b]));
        double renamed =
                slowest(
                        together(ranks),
                        survey(
                                ranks,
                                100,
                                (a, b) -> rates[names.get((int) a)][names.get((int) b)]));
        assertThat(usual).as("seed %d", seed).isBetween(renamed / 1.6, renamed * 1.6);
    }

    /** The slowest rate on the ring that is chosen. */
    private static double slowest(SiteMap sites, LinkSurvey survey) {
        List<Integer> ring =
                RingOrder.of(sites, RouteChoice.of(sites, survey, DIRECT_BYTES)).ranks();
        return IntStream.range(0, ring.size())
                .mapToLong(i -> survey.rates().rate(ring.get(i), ring.get((i + 1) % ring.size())))
                .min()
                .orElseThrow();
    }

    @Test
    void manyRanksNearEachOtherShouldSumSmallSlicesByATree() {
        MeasuredRoute route =
                RouteChoice.of(together(16), survey(16, 80, (a, b) -> 1L << 30), DIRECT_BYTES);
        assertThat(route.ring()).isEmpty();
        assertThat(route.hasFigures()).isTrue();
        assertThat(route.insideLatencyNs()).as("rounded down from 40 us").isEqualTo(32_768);
        assertThat(route.why()).contains("by a tree", "4 hops", "16 ranks");
        assertThat(RouteChoice.of(together(3), survey(3, 80, (a, b) -> 1L << 30), DIRECT_BYTES))
                .as("three reach everyone as soon")
                .isEqualTo(MeasuredRoute.NONE);
        SiteMap apart =
                new SiteMap(
                        List.of(
                                IntStream.range(0, 8).boxed().toList(),
                                IntStream.range(8, 16).boxed().toList()));
        assertThat(RouteChoice.of(apart, survey(16, 80, (a, b) -> 1L << 30), DIRECT_BYTES))
                .as("between sites there are leaders")
                .isEqualTo(MeasuredRoute.NONE);
    }
}
