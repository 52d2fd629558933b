package dev.medley.plan.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Group;
import dev.medley.base.Member;
import dev.medley.base.Plan;
import dev.medley.base.Seeds;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.plan.policy.Groups;
import dev.medley.plan.policy.ServerPaths;
import dev.medley.plan.policy.ServerPlacement;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.LinkReport;
import dev.medley.profile.cluster.Origin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Parts of the parameters by the ways between machines, and plans that say them. */
class ServerPlanTest {
    private static final double FAST = 125e6;

    /** Parts are cut in millionths, and of alike ones some get one more. */
    private static final double ROUNDING = 1.01e-6;

    private static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    private static Group at(List<String> sites) {
        List<Member> members = new ArrayList<>();
        for (Member member : Groups.of(1, sites.size()).members()) {
            members.add(member.at(sites.get(members.size())));
        }
        return new Group(1, members);
    }

    /** Each worker on a machine of its own; a way is as wide as the narrower of its ends. */
    private static LinkReport links(List<Double> bytesPerSecond, Origin origin) {
        List<List<Integer>> workers = new ArrayList<>();
        List<List<LinkPath>> ways = new ArrayList<>();
        for (int from = 0; from < bytesPerSecond.size(); from++) {
            workers.add(List.of(from + 1));
            List<LinkPath> row = new ArrayList<>();
            for (double to : bytesPerSecond) {
                row.add(new LinkPath(1000, Math.min(bytesPerSecond.get(from), to), origin));
            }
            ways.add(row);
        }
        List<Integer> together = Collections.nCopies(workers.size(), 0);
        return new LinkReport(1, workers, ways, together, "by the test");
    }

    private static List<Double> parts(
            List<String> sites, Servers servers, List<Integer> shares, List<Double> links) {
        Group group = at(sites);
        ServerPaths ways = ServerPaths.of(group, links(links, Origin.MEASURED));
        ServerPlacement.Decision decision = ServerPlacement.of(group, servers, shares, ways);
        assertThat(decision.ofEqual()).as(decision.why()).isLessThan(1 + 1e-5);
        double sum = decision.parts().stream().mapToDouble(Double::doubleValue).sum();
        assertThat(sum).isCloseTo(1, within(1e-9));
        assertThat(decision.parts()).allMatch(part -> part >= 0);
        return decision.parts();
    }

    private static <T> List<T> drawn(int count, IntFunction<T> each) {
        return IntStream.range(0, count).mapToObj(each).toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void aWiderLinkOrAFasterProcessorShouldNeverGetLess(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int size = 2 + random.nextInt(5);
        List<String> sites = Collections.nCopies(size, "a");
        List<Double> links = drawn(size, i -> 1e6 * (1 + random.nextInt(200)));
        List<Integer> alike = Collections.nCopies(size, 10);
        List<Double> byLink = parts(sites, Servers.ALL, alike, links);
        List<Integer> shares = drawn(size, i -> random.nextInt(100));
        List<Double> same = Collections.nCopies(size, FAST);
        List<Double> bySpeed = parts(sites, Servers.ALL, shares, same);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                if (links.get(i) >= links.get(j)) {
                    assertThat(byLink.get(i)).isGreaterThanOrEqualTo(byLink.get(j) - ROUNDING);
                }
                if (shares.get(i) >= shares.get(j)) {
                    assertThat(bySpeed.get(i)).isGreaterThanOrEqualTo(bySpeed.get(j) - ROUNDING);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void placesInTheGroupShouldNotMatter(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int size = 2 + random.nextInt(5);
        List<String> sites = drawn(size, i -> i == 0 ? "a" : List.of("a", "b").get(i % 2));
        List<Double> links = drawn(size, i -> 1e6 * (1 + random.nextInt(200)));
        List<Integer> shares = drawn(size, i -> 1 + random.nextInt(100));
        List<Integer> order = new ArrayList<>(drawn(size, i -> i));
        Collections.rotate(order, 1 + random.nextInt(size));
        for (Servers servers : Servers.values()) {
            List<Double> before = parts(sites, servers, shares, links);
            List<Double> after =
                    parts(
                            order.stream().map(sites::get).toList(),
                            servers,
                            order.stream().map(shares::get).toList(),
                            order.stream().map(links::get).toList());
            for (int i = 0; i < size; i++) {
                assertThat(after.get(i)).isCloseTo(before.get(order.get(i)), within(2 * ROUNDING));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void anyOrderOfTheGroupShouldGiveTheSameParts(long seed) {
        RandomGenerator random = Seeds.generator(seed, 1);
        int size = 2 + random.nextInt(7);
        List<String> sites = drawn(size, i -> List.of("a", "b", "c").get(random.nextInt(3)));
        List<Double> links = drawn(size, i -> 1e6 * (1 + random.nextInt(200)));
        List<Integer> shares = drawn(size, i -> random.nextInt(100));
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            order.add(random.nextInt(i + 1), i);
        }
        for (Servers servers : Servers.values()) {
            List<Double> before = parts(sites, servers, shares, links);
            List<Double> after =
                    parts(
                            order.stream().map(sites::get).toList(),
                            servers,
                            order.stream().map(shares::get).toList(),
                            order.stream().map(links::get).toList());
            for (int i = 0; i < size; i++) {
                assertThat(after.get(i)).isCloseTo(before.get(order.get(i)), within(2 * ROUNDING));
            }
        }
    }

    /** Of those of one site, among whom nothing else differs. */
    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void aWiderLinkAndAFasterProcessorShouldNeverGetLessThanAMateHas(long seed) {
        RandomGenerator random = Seeds.generator(seed, 2);
        int size = 3 + random.nextInt(6);
        List<String> sites = drawn(size, i -> i == 0 ? "a" : random.nextBoolean() ? "a" : "b");
        List<Double> links = drawn(size, i -> 1e6 * (1 + random.nextInt(200)));
        List<Integer> shares = drawn(size, i -> random.nextInt(100));
        for (Servers servers : Servers.values()) {
            List<Double> parts = parts(sites, servers, shares, links);
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    boolean isBetter =
                            sites.get(i).equals(sites.get(j))
                                    && links.get(i) >= links.get(j)
                                    && shares.get(i) >= shares.get(j);
                    if (isBetter) {
                        assertThat(parts.get(i)).isGreaterThanOrEqualTo(parts.get(j) - ROUNDING);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Servers.class)
    @Tag("property")
    void equalWaysAndMachinesShouldGiveEqualParts(Servers servers) {
        for (int size = 2; size < 9; size += 2) {
            List<String> sites = drawn(size, i -> i % 2 == 0 ? "a" : "b");
            List<Integer> shares = Collections.nCopies(size, 7);
            List<Double> parts = parts(sites, servers, shares, Collections.nCopies(size, FAST));
            assertThat(parts).containsOnly(1.0 / size);
        }
    }

    /** Probes of links that stay as they are come out a little different each time. */
    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void waysThatScatterByAFewPercentShouldBeNoReason(long seed) {
        RandomGenerator random = Seeds.generator(seed, 3);
        int size = 2 + random.nextInt(6);
        Group group = at(drawn(size, i -> List.of("a", "b", "c").get(random.nextInt(3))));
        List<Double> links = drawn(size, i -> 1e6 * (1 + random.nextInt(200)));
        SharePlan even = new SharePlan(size * 50, 1, drawn(size, i -> 1.0 + random.nextInt(9)));
        for (Servers servers : Servers.values()) {
            ServerPlan plans = new ServerPlan(even, servers);
            plans.surveyed(links(links, Origin.MEASURED));
            plans.plan(group, 1, 0);
            for (int step = 1; step < 5; step++) {
                List<Double> seen =
                        drawn(size, i -> links.get(i) * (0.98 + random.nextDouble() / 25));
                plans.surveyed(links(seen, Origin.MEASURED));
                assertThat(plans.wish(step)).isNull();
            }
        }
    }

    /** By the formula of {@link ServerPlacement}, with a machine for each worker of one site. */
    @ParameterizedTest
    @MethodSource("seeds")
    @Tag("property")
    void aWishShouldGainATenthAndBeMadeOnce(long seed) {
        RandomGenerator random = Seeds.generator(seed, 4);
        int size = 2 + random.nextInt(6);
        Group group = at(Collections.nCopies(size, "a"));
        SharePlan even = new SharePlan(size * 50, 1, drawn(size, i -> 1.0 + random.nextInt(9)));
        ServerPlan plans = new ServerPlan(even, Servers.ALL);
        List<Double> links = drawn(size, i -> 1e8 * (1 + random.nextDouble()));
        plans.surveyed(links(links, Origin.MEASURED));
        Plan plan = plans.plan(group, 1, 0);
        for (int step = 1; step < 10; step++) {
            double scatter = random.nextDouble();
            links = drawn(size, i -> 1e8 * (1 + scatter * random.nextDouble()));
            plans.surveyed(links(links, Origin.MEASURED));
            String why = plans.wish(step);
            Plan next = plans.plan(group, step + 1, step);
            double gain = clockNs(plan, links) / clockNs(next, links);
            assertThat(gain).as("gained by %s", why).isGreaterThan(why == null ? 0.999 : 1.099);
            assertThat(gain).isLessThan(why == null ? 1.101 : Double.MAX_VALUE);
            assertThat(plans.wish(step)).as("it was granted").isNull();
            plan = next;
        }
    }

    /** Of the longest clock, for a byte of the parameters. */
    private static double clockNs(Plan plan, List<Double> links) {
        int n = links.size();
        double mean = plan.shares().stream().mapToInt(share -> share).average().orElseThrow();
        double longest = 0;
        for (int k = 0; k < n; k++) {
            double part = plan.servers().get(k);
            double linkNs = 0;
            for (int other = 0; other < n; other++) {
                double rate = Math.min(links.get(k), links.get(other));
                linkNs += other == k ? 0 : 1e9 / rate / (n - 1);
            }
            double applyNs = 2 * mean / plan.shares().get(k);
            double ns = linkNs * (1 - part + (n - 1) * part) + applyNs * n * part;
            longest = Math.max(longest, ns);
        }
        return longest;
    }

    @Test
    @Tag("unit")
    void whoseWorkerFillsALinkShouldServeNothing() {
        List<String> sites = Collections.nCopies(4, "a");
        List<Integer> shares = Collections.nCopies(4, 64);
        List<Double> parts =
                parts(sites, Servers.ALL, shares, List.of(FAST, FAST, FAST, FAST / 10));
        assertThat(parts.get(3)).isZero();
        assertThat(parts.subList(0, 3)).allMatch(part -> Math.abs(part - 1 / 3.0) < 1e-5);
    }

    @Test
    @Tag("unit")
    void shouldPlaceWhatIsMeasuredAndOnlyThat() {
        SharePlan even = new SharePlan(64, 1, List.of());
        Group group = at(List.of("a", "a", "a", "a"));
        ServerPlan plans = new ServerPlan(even, Servers.ALL);
        assertThat(plans.plan(group, 1, 0)).isEqualTo(even.plan(group, 1, 0));
        assertThat(plans.wish(1)).isNull();
        List<Double> links = List.of(FAST, FAST, FAST, FAST / 4);
        plans.surveyed(links(links, Origin.ASSUMED));
        assertThat(plans.wish(1)).as("nobody measured").isNull();
        plans.surveyed(links(links, Origin.MEASURED));
        assertThat(plans.wish(1)).contains("servers change", "times as long");
        Plan plan = plans.plan(group, 2, 1);
        assertThat(plan.servers()).hasSize(4);
        assertThat(plan.servers().get(3)).isLessThan(plan.servers().get(0));
        assertThat(plan.why()).contains("; servers hold [", "in equal time");
        assertThat(plans.wish(2)).isNull();
        assertThat(
                        new ReplayPlan(List.of(new ReplayPlan.Recorded(1, plan, List.of())))
                                .plan(group, 1, 0)
                                .servers())
                .isEqualTo(plan.servers());
    }

    /** A group that formed before anybody had measured, with ways that turn out to be alike. */
    @Test
    @Tag("unit")
    void equalPartsShouldStayWhereWaysAreAlike() {
        ServerPlan plans = new ServerPlan(new SharePlan(64, 1, List.of()), Servers.ALL);
        plans.plan(at(List.of("a", "a", "a")), 1, 0);
        plans.surveyed(links(List.of(FAST, FAST, FAST), Origin.MEASURED));
        assertThat(plans.wish(1)).isNull();
    }

    @Test
    @Tag("unit")
    void shouldSayWhereServersStand() {
        SharePlan even = new SharePlan(64, 1, List.of());
        ServerPlan plans = new ServerPlan(even, Servers.PER_SITE);
        assertThat(plans.plan(at(List.of("a", "b", "a")), 1, 0).why())
                .endsWith("; servers per site: 2 at a, 1 at b");
        assertThat(plans.plan(at(List.of("a", "a")), 1, 0).why())
                .endsWith("servers per site do what all do, since all workers stand at one site");
    }
}
