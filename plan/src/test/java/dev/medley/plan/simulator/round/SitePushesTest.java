package dev.medley.plan.simulator.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.simulator.SimulatedRun;
import dev.medley.plan.simulator.Simulator;
import dev.medley.plan.simulator.fabric.Clusters;
import dev.medley.plan.simulator.fabric.Costs;
import dev.medley.plan.simulator.fabric.Disturbance;
import dev.medley.plan.simulator.fabric.SimulatedCluster;
import dev.medley.plan.simulator.fabric.SimulatedLink;
import dev.medley.plan.simulator.fabric.SimulatedLinks;
import dev.medley.plan.simulator.fabric.SimulatedMachine;
import dev.medley.plan.simulator.step.TrainingLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Parameter servers at each site. */
class SitePushesTest {
    private static final long BYTES = 4_000_000;
    private static final int CLOCKS = 16;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 10);
    }

    /**
     * T clocks go there, all but the last come back with parameters; then comes the round's sum.
     */
    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void eachClockShouldCrossABorderOnceEachWay(long seed) {
        RandomGenerator random = Seeds.generator(seed);
        int sites = 2 + random.nextInt(3);
        List<SimulatedMachine> kinds = new ArrayList<>();
        for (int site = 0; site < sites; site++) {
            int count = 1 + random.nextInt(4);
            double betaMs = 0.2 + random.nextDouble();
            kinds.add(Clusters.kind("m" + site, "s" + site, count, betaMs));
        }
        SimulatedCluster cluster = cluster(kinds);
        SimulatedRun run = run(cluster, perSite(Sync.BULK), seed);
        double tail = 5.0 * Double.BYTES * cluster.size();
        double sum = 2.0 * (sites - 1) * BYTES + sites * (sites - 1) * tail;
        double clocks = (2.0 * CLOCKS - 1) * (sites - 1) * BYTES;
        assertThat(crossed(run)).isCloseTo(clocks + sum, within(1.0));
    }

    /** Of two sites with m workers m times less, but for the sum that ends the round. */
    @ParameterizedTest
    @Tag("unit")
    @EnumSource
    void workersOfASiteShouldCrossItsBorderAsOne(Sync sync) {
        int mates = 4;
        SimulatedCluster cluster =
                cluster(
                        List.of(
                                Clusters.kind("a", "x", mates, 1),
                                Clusters.kind("b", "y", mates, 1)));
        double sum = 2.0 * BYTES + 2 * 5.0 * Double.BYTES * cluster.size();
        StrategySpec all = perSite(sync).with(AsyncSpec.of(sync));
        double byAll = crossed(run(cluster, all, 1)) - sum;
        double bySite = crossed(run(cluster, perSite(sync), 1)) - sum;
        // Where nobody waits, what has come meanwhile goes as one.
        double least = sync == Sync.BULK ? 0.98 * mates : 0.9 * mates;
        assertThat(byAll / bySite).isGreaterThan(least);
        if (sync == Sync.BULK) {
            assertThat(byAll / bySite).isCloseTo(mates, Percentage.withPercentage(2));
        }
    }

    /** A border that all wait for is the faster the less crosses it. */
    @ParameterizedTest
    @Tag("unit")
    @EnumSource
    void whereABorderIsWaitedForServersOfEachSiteShouldBeFaster(Sync sync) {
        SimulatedCluster cluster =
                cluster(List.of(Clusters.kind("a", "x", 4, 0.1), Clusters.kind("b", "y", 4, 0.1)));
        double all = run(cluster, perSite(sync).with(AsyncSpec.of(sync)), 1).samplesPerSecond();
        assertThat(run(cluster, perSite(sync), 1).samplesPerSecond()).isGreaterThan(2 * all);
    }

    /** What is forwarded is coded, what comes back is not; nor what moves inside a site. */
    @Test
    @Tag("unit")
    void aCodecShouldShortenWhatIsForwarded() {
        SimulatedCluster cluster =
                cluster(List.of(Clusters.kind("a", "x", 3, 1), Clusters.kind("b", "y", 2, 1)));
        SimulatedRun whole = run(cluster, perSite(Sync.BULK), 1);
        SimulatedRun coded = run(cluster, perSite(Sync.BULK).with(Compress.INT8), 1);
        double saved = 1 - Costs.codedPart(Compress.INT8, CodecSpec.DEFAULT);
        assertThat(crossed(whole) - crossed(coded))
                .as("each clock's sum, and both ways of the round's")
                .isCloseTo(saved * BYTES * (CLOCKS + 2), within(10.0));
        double inside = whole.insideBytesPerSample();
        assertThat(coded.insideBytesPerSample()).isCloseTo(inside, within(0.01));
    }

    /**
     * Every worker pushes m-1 parts of m and gets as many, but for the last, and sums at the end.
     */
    @Test
    @Tag("unit")
    void aWorkerShouldPushToTheServersOfItsSiteAlone() {
        SimulatedCluster cluster =
                cluster(List.of(Clusters.kind("a", "x", 3, 1), Clusters.kind("b", "y", 3, 1)));
        SimulatedRun run = run(cluster, perSite(Sync.BULK), 1);
        double ofOne = 2.0 / 3 * BYTES;
        double tail = 5.0 * Double.BYTES * cluster.size();
        double pushes = 6 * ofOne * (2 * CLOCKS - 1);
        double sums = 2.0 * 4 * (BYTES + tail);
        double perStep = run.insideBytesPerSample() * run.shares().stream().mapToInt(s -> s).sum();
        assertThat(perStep).isCloseTo(pushes + sums, within(10.0));
    }

    /** Machines whose steps vary: a bound lets them make up for it, none more so. */
    @Test
    @Tag("unit")
    void whoWaitsForFewerShouldBeFaster() {
        double bulk = restless(perSite(Sync.BULK));
        double stale = restless(perSite(Sync.STALE));
        assertThat(stale).isGreaterThan(1.05 * bulk);
        assertThat(restless(perSite(Sync.ASYNC))).isGreaterThan(0.99 * stale);
    }

    @Test
    @Tag("unit")
    void ofOneSiteServersPerSiteShouldBeThoseForAll() {
        SimulatedCluster one = cluster(List.of(Clusters.kind("a", "x", 3, 1)));
        StrategySpec all = perSite(Sync.STALE).with(AsyncSpec.of(Sync.STALE));
        assertThat(run(one, perSite(Sync.STALE), 1)).isEqualTo(run(one, all, 1));
    }

    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void roundsOfRestlessMachinesShouldEndAndBeTheSameWithTheSameSeed(long seed) {
        for (Sync sync : Sync.values()) {
            SimulatedRun run = run(restless(), perSite(sync), seed);
            assertThat(run).isEqualTo(run(restless(), perSite(sync), seed));
            assertThat(run.samplesPerSecond()).isPositive();
        }
    }

    private static double restless(StrategySpec strategy) {
        return run(restless(), strategy, 3).samplesPerSecond();
    }

    private static SimulatedCluster restless() {
        List<SimulatedMachine> kinds = new ArrayList<>();
        for (String site : List.of("x", "y", "z")) {
            SimulatedMachine kind = Clusters.kind("m-" + site, site, 2, 40);
            Disturbance unrest = Disturbance.NONE.varying(0.8);
            kinds.add(new SimulatedMachine(kind.machine(), 2, kind.time(), 125e6, unrest));
        }
        return new SimulatedCluster(
                kinds, SimulatedLinks.of(Clusters.GIGABIT, SimulatedLink.of(Clusters.way(1, 1e9))));
    }

    private static SimulatedCluster cluster(List<SimulatedMachine> kinds) {
        return new SimulatedCluster(kinds, SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
    }

    private static StrategySpec perSite(Sync sync) {
        StrategySpec spec = StrategySpec.defaults(Kind.PARAMETER_SERVER);
        return spec.with(spec.round().every(CLOCKS))
                .with(AsyncSpec.of(sync).with(Servers.PER_SITE));
    }

    private static double crossed(SimulatedRun run) {
        return run.borders().stream().mapToDouble(SimulatedRun.Border::bytesPerStep).sum();
    }

    private static SimulatedRun run(SimulatedCluster cluster, StrategySpec strategy, long seed) {
        TrainingLoad load = Clusters.ofBytes(BYTES);
        return Simulator.run(cluster, load, strategy, 32 * cluster.size(), seed);
    }
}
