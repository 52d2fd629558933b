package dev.medley.plan.forecast;

import dev.medley.base.Seeds;
import dev.medley.base.job.TrainSpec.Budget;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.plan.codec.ModelFacts;
import dev.medley.plan.efficiency.EfficiencyTable;
import dev.medley.profile.cluster.ClusterProfile;
import dev.medley.profile.cluster.LinkPath;
import dev.medley.profile.cluster.Machine;
import dev.medley.profile.cluster.Origin;
import dev.medley.profile.speed.StepTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Made-up clusters, and the facts of fashion-cnn in the emulated two clouds. */
public final class Clusters {
    /** 421,642 parameters; batch 256; 54,000 samples. */
    public static final ModelFacts FASHION =
            new ModelFacts(1_686_568, 421_642, 256, 64, 54_000, Budget.ofEpochs(8), true);

    private static final double NS = 1e9;

    private Clusters() {}

    /** One that does not change with what is measured. */
    public static EfficiencyTable table() {
        return EfficiencyTable.of(Clusters.class, "efficiency-of-tests.json");
    }

    public static StrategySpec open() {
        return StrategySpec.defaults(StrategySpec.Kind.AUTO);
    }

    public static List<Machine> machines(String... sites) {
        return IntStream.range(0, sites.length)
                .mapToObj(i -> new Machine("m" + i, sites[i], "type", 1L << 30, null))
                .toList();
    }

    /** Speeds of 4:2:1:1 that make 3,300 samples a second, as in benchmarks/uneven. */
    static List<StepTime> uneven() {
        return List.of(1662.0, 406.0, 831.0, 406.0).stream()
                .map(speed -> new StepTime(0, NS / speed))
                .toList();
    }

    /** 1 Gbit/s inside; between sites 100 Mbit/s and 20 ms. */
    static ClusterProfile twoClouds() {
        return ways(
                machines("aws", "aws", "gcp", "gcp"),
                new LinkPath(200_000, 125e6, Origin.MEASURED),
                new LinkPath(20_000_000, 12.5e6, Origin.MEASURED));
    }

    public static ClusterProfile ways(List<Machine> machines, LinkPath inside, LinkPath between) {
        return new ClusterProfile(
                machines,
                machines.stream()
                        .map(
                                from ->
                                        machines.stream()
                                                .map(
                                                        to ->
                                                                from.site().equals(to.site())
                                                                        ? inside
                                                                        : between)
                                                .toList())
                        .toList());
    }

    /** A machine at each site, 1 ms apart; between two of the sites the link is thin. */
    public static ClusterProfile thinBetween(
            Set<String> thinly, double thin, double wide, String... sites) {
        List<Machine> machines = machines(sites);
        List<List<LinkPath>> ways = new ArrayList<>();
        for (Machine from : machines) {
            List<LinkPath> row = new ArrayList<>();
            for (Machine to : machines) {
                boolean isThin = from != to && thinly.containsAll(List.of(from.site(), to.site()));
                row.add(new LinkPath(1_000_000, isThin ? thin : wide, Origin.MEASURED));
            }
            ways.add(row);
        }
        return new ClusterProfile(machines, ways);
    }

    /** A cluster, its speeds and a job. */
    record Drawn(ClusterProfile cluster, List<StepTime> times, ModelFacts facts) {
        static Drawn of(long seed) {
            RandomGenerator random = Seeds.generator(seed);
            int size = 2 + random.nextInt(6);
            int sites = 1 + random.nextInt(3);
            String[] names = new String[size];
            for (int i = 0; i < size; i++) {
                names[i] = "s" + random.nextInt(sites);
            }
            List<Machine> machines = machines(names);
            List<List<LinkPath>> ways = new ArrayList<>();
            for (int from = 0; from < size; from++) {
                List<LinkPath> row = new ArrayList<>();
                for (int to = 0; to < size; to++) {
                    row.add(
                            new LinkPath(
                                    random.nextLong(50_000_000),
                                    1e6 * (1 + random.nextInt(500)),
                                    Origin.MEASURED));
                }
                ways.add(row);
            }
            List<StepTime> times =
                    IntStream.range(0, size)
                            .mapToObj(
                                    i ->
                                            new StepTime(
                                                    random.nextDouble() * 1e7,
                                                    1e3 + random.nextDouble() * 1e7))
                            .toList();
            long bytes = 1_000 + random.nextLong(400_000_000);
            ModelFacts facts =
                    new ModelFacts(
                            bytes,
                            1 + random.nextLong(bytes),
                            16 + random.nextInt(500),
                            1 + random.nextInt(64),
                            10_000 + random.nextInt(1_000_000),
                            Budget.ofEpochs(1 + random.nextInt(20)),
                            random.nextBoolean());
            return new Drawn(new ClusterProfile(machines, ways), times, facts);
        }

        Drawn with(ClusterProfile other) {
            return new Drawn(other, times, facts);
        }

        Drawn with(List<StepTime> others) {
            return new Drawn(cluster, others, facts);
        }

        Drawn withWays(DoubleUnaryOperator bytesPerSecond) {
            List<List<LinkPath>> ways =
                    cluster.ways().stream()
                            .map(row -> row.stream().map(w -> wider(w, bytesPerSecond)).toList())
                            .toList();
            return with(new ClusterProfile(cluster.machines(), ways));
        }

        private static LinkPath wider(LinkPath way, DoubleUnaryOperator bytesPerSecond) {
            double changed = bytesPerSecond.applyAsDouble(way.bytesPerSecond());
            return new LinkPath(way.latencyNs(), changed, way.origin());
        }

        List<Forecast> forecasts() {
            return forecasts(null);
        }

        List<Forecast> forecasts(dev.medley.profile.cluster.@Nullable Prices prices) {
            return new Forecaster(facts, cluster, times, table(), prices)
                    .of(Candidate.all(open(), cluster.sites().size()));
        }
    }
}
