package dev.medley.benchmarks.exchange;

import dev.medley.base.Fault;
import dev.medley.base.Group;
import dev.medley.base.MeasuredRoute;
import dev.medley.base.Member;
import dev.medley.base.StepTag;
import dev.medley.base.WorkerId;
import dev.medley.base.memory.ElementType;
import dev.medley.base.route.Choice;
import dev.medley.base.route.LinkFigures;
import dev.medley.base.route.Scheme;
import dev.medley.base.route.SiteMap;
import dev.medley.base.route.SiteSchemes;
import dev.medley.base.strategy.StrategySpec.Transport;
import dev.medley.base.time.Clock;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeEndpoint;
import dev.medley.exchange.ExchangeOptions;
import dev.medley.exchange.Formation;
import dev.medley.exchange.route.LinkSurvey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Measures each scheme of one site over TCP on the loopback, with ranks as threads of this process.
 * Beside it stands what the cost model would choose by the figures that the same ranks measure.
 * Microseconds a sum, median of some rounds; "-" where a scheme is never taken. Prints a table.
 */
public final class SchemeBenchmark implements AutoCloseable {
    private static final long[] SIZES = {256, 4 << 10, 32 << 10, 64 << 10, 1 << 20, 16 << 20};
    private static final int MOST_BYTES = 16 << 20;
    private static final int ROUNDS = 9;
    private static final long ROUND_BYTES = 32 << 20;
    private static final int MOST_SUMS = 200;
    private static final double NS_PER_US = 1e3;

    /** By these figures a tree is the cheapest wherever it can be. */
    private static final MeasuredRoute BY_TREE =
            new MeasuredRoute(List.of(), 1, 1L << 50, "a benchmark");

    private final int ranks;
    private final Clock clock = Clock.system();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<ExchangeEndpoint> endpoints = new ArrayList<>();
    private long step;

    private SchemeBenchmark(int ranks) {
        this.ranks = ranks;
    }

    /** Arguments: group sizes; 2 to 8 if there are none. */
    public static void main(String[] arguments) throws Exception {
        int[] sizes =
                arguments.length == 0
                        ? IntStream.rangeClosed(2, 8).toArray()
                        : Arrays.stream(arguments).mapToInt(Integer::parseInt).toArray();
        System.out.println(
                "| ranks | bytes | to everyone | tree | shares | ring | the model takes | for |");
        System.out.println("|---|---|---|---|---|---|---|---|");
        for (int size : sizes) {
            try (SchemeBenchmark benchmark = new SchemeBenchmark(size)) {
                benchmark.measure();
            }
        }
    }

    private void measure() throws Exception {
        LinkFigures figures = figures();
        Map<Scheme, List<Collective>> all = new EnumMap<>(Scheme.class);
        all.put(Scheme.DIRECT, form(Place.ONE_HOST, MOST_BYTES, MeasuredRoute.NONE));
        all.put(Scheme.RING, form(Place.ONE_HOST, 0, MeasuredRoute.NONE));
        all.put(Scheme.SHARES, form(Place.APART, 0, MeasuredRoute.NONE));
        all.put(Scheme.TREE, form(Place.APART, MOST_BYTES, BY_TREE));
        SiteMap sites = new SiteMap(List.of(IntStream.range(0, ranks).boxed().toList()));
        for (long bytes : SIZES) {
            var allowed = SiteSchemes.withTree(bytes, ranks, SiteSchemes.MOST_DIRECT_BYTES);
            Choice choice = Choice.of(bytes, sites, figures, allowed);
            System.out.printf(
                    Locale.ROOT,
                    "| %d | %d | %s | %s | %s | %s | %s | %.0f |%n",
                    ranks,
                    bytes,
                    us(all.get(Scheme.DIRECT), bytes),
                    isByTree(bytes, sites) ? us(all.get(Scheme.TREE), bytes) : "-",
                    ranks > 2 && bytes <= 4 << 20 ? us(all.get(Scheme.SHARES), bytes) : "-",
                    us(all.get(Scheme.RING), bytes),
                    choice.scheme().words(),
                    choice.expectedNs() / NS_PER_US);
        }
        all.values().forEach(each -> each.forEach(Collective::close));
    }

    /** Whether the group that is to sum by a tree does so. */
    private static boolean isByTree(long bytes, SiteMap sites) {
        LinkFigures assumed = LinkFigures.assumed();
        LinkFigures none =
                new LinkFigures(
                        BY_TREE.insideLatencyNs(),
                        BY_TREE.insideBytesPerSecond(),
                        assumed.betweenLatencyNs(),
                        assumed.betweenBytesPerSecond(),
                        LinkFigures.Origin.ASSUMED,
                        LinkFigures.Origin.ASSUMED);
        var allowed = SiteSchemes.withTree(bytes, sites.size(), MOST_BYTES);
        return Choice.of(bytes, sites, none, allowed).scheme() == Scheme.TREE;
    }

    /** The figures that these ranks measure of the links between them. */
    private LinkFigures figures() throws Exception {
        List<Formation.Formed> formed =
                formed(
                        Place.APART,
                        ExchangeOptions.of("schemes").surveying(ExchangeOptions.Survey.WHOLE),
                        null);
        formed.forEach(each -> each.collective().close());
        LinkSurvey survey = formed.get(0).survey();
        SiteMap sites = new SiteMap(List.of(IntStream.range(0, ranks).boxed().toList()));
        return survey == null
                ? LinkFigures.assumed()
                : survey.figures(sites, LinkFigures.assumed());
    }

    /** Where the ranks are, as far as their group knows. */
    private enum Place {
        ONE_HOST,
        APART
    }

    private List<Collective> form(Place place, int directBytes, MeasuredRoute route)
            throws Exception {
        ExchangeOptions usual = ExchangeOptions.of("schemes");
        ExchangeOptions options =
                usual.cutting(directBytes, usual.segmentBytes())
                        .surveying(ExchangeOptions.Survey.NONE);
        return formed(place, options, route).stream().map(Formation.Formed::collective).toList();
    }

    private List<Formation.Formed> formed(
            Place place, ExchangeOptions options, @Nullable MeasuredRoute route) throws Exception {
        List<ExchangeEndpoint> opened = new ArrayList<>();
        List<Member> members = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            ExchangeEndpoint endpoint = ExchangeEndpoint.open(options, clock);
            opened.add(endpoint);
            members.add(
                    new Member(
                            new WorkerId(rank),
                            place == Place.APART ? "host-" + rank : ExchangeEndpoint.hostKey(),
                            Member.NO_SITE,
                            "127.0.0.1",
                            endpoint.dataPort(),
                            ""));
        }
        endpoints.addAll(opened);
        Group group = new Group(1, members);
        return inParallel(
                rank -> {
                    Formation formation =
                            opened.get(rank)
                                    .form(
                                            group,
                                            new WorkerId(rank),
                                            Transport.TCP,
                                            MOST_BYTES,
                                            route);
                    if (formation instanceof Formation.Formed formed) {
                        return formed;
                    }
                    throw new IllegalStateException(formation.toString());
                });
    }

    private String us(List<Collective> all, long bytes) throws Exception {
        int sums = (int) Math.max(3, Math.min(MOST_SUMS, ROUND_BYTES / bytes / ranks));
        double[] rounds = new double[ROUNDS];
        for (int round = -2; round < ROUNDS; round++) {
            long first = step + 1;
            step += sums;
            List<Long> tookNs = inParallel(rank -> tookNs(all.get(rank), bytes, first, sums));
            if (round >= 0) {
                rounds[round] = tookNs.get(0) / NS_PER_US / sums;
            }
        }
        Arrays.sort(rounds);
        return String.format(Locale.ROOT, "%.0f", rounds[ROUNDS / 2]);
    }

    private long tookNs(Collective each, long bytes, long first, int sums) {
        long startNs = clock.nowNs();
        for (long at = first; at < first + sums; at++) {
            each.begin(new StepTag(1, at, 1));
            each.sum(0, bytes, ElementType.FLOAT32);
            Fault fault = each.finish();
            if (fault != null) {
                throw new IllegalStateException(fault.message());
            }
        }
        return clock.nowNs() - startNs;
    }

    /** Something that each rank does. */
    private interface Role<T> {
        T play(int rank) throws Exception;
    }

    private <T> List<T> inParallel(Role<T> role) throws InterruptedException, ExecutionException {
        List<Callable<T>> roles = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            int own = rank;
            roles.add(() -> role.play(own));
        }
        List<T> results = new ArrayList<>();
        for (Future<T> result : threads.invokeAll(roles)) {
            results.add(result.get());
        }
        return results;
    }

    @Override
    public void close() {
        endpoints.forEach(ExchangeEndpoint::close);
        threads.shutdownNow();
    }
}
