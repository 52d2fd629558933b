package dev.medley.plan.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.simulator.fabric.Clusters;
import dev.medley.plan.simulator.fabric.Disturbance;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.SimulatedCluster;
import dev.medley.plan.simulator.fabric.SimulatedLinks;
import dev.medley.plan.simulator.fabric.SimulatedMachine;
import dev.medley.plan.simulator.step.TrainingLoad;
import dev.medley.plan.simulator.step.TrainingLoad.Bucket;
import dev.medley.plan.simulator.sum.LongRing;
import dev.medley.plan.simulator.sum.Ring;
import dev.medley.plan.simulator.sum.SliceSum;
import dev.medley.profile.cluster.LinkPath;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class SimulatorTest {
    private static final Percentage NEARLY = Percentage.withPercentage(1e-6);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldNeverBeSlowerWithMoreBandwidth(long seed) {
        Case drawn = Case.draw(seed);
        double before = drawn.run(drawn.cluster()).samplesPerSecond();
        SimulatedLinks links = drawn.cluster().links();
        LinkPath wider = Clusters.way(links.between().way().latencyNs() / 1e6, 1e9);
        SimulatedCluster better =
                new SimulatedCluster(
                        drawn.cluster().kinds(), SimulatedLinks.of(links.inside(), wider));
        // Streams end at other moments then, of which one may be worth some messages.
        assertThat(drawn.run(better).samplesPerSecond()).isGreaterThan(0.999 * before);
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldDoTheSameWithTheSameSeed(long seed) {
        Case drawn = Case.draw(seed);
        List<SimulatedMachine> restless =
                drawn.cluster().kinds().stream().map(kind -> restless(kind)).toList();
        SimulatedCluster cluster = new SimulatedCluster(restless, drawn.cluster().links());
        assertThat(drawn.run(cluster)).isEqualTo(drawn.run(cluster));
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldNotCareInWhichOrderMachinesAreNamed(long seed) {
        Case drawn = Case.draw(seed);
        List<SimulatedMachine> shuffled = new ArrayList<>(drawn.cluster().kinds());
        Collections.reverse(shuffled);
        SimulatedCluster other = new SimulatedCluster(shuffled, drawn.cluster().links());
        // A sample of a share may go to another of two that are as fast; a leader is another one.
        assertThat(drawn.run(other).stepNs())
                .isCloseTo(drawn.run(drawn.cluster()).stepNs(), Percentage.withPercentage(3));
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldNeverDoMoreThanTheSumOfSpeeds(long seed) {
        Case drawn = Case.draw(seed);
        SimulatedRun run = drawn.run(drawn.cluster());
        assertThat(run.efficiency()).isBetween(0.0, 1.0 + 1e-9);
        assertThat(run.stepNs()).isGreaterThanOrEqualTo(run.computeNs() - 1e-3);
    }

    @ParameterizedTest
    @Tag("property")
    @EnumSource
    void shouldSpeedUpByOneWhereAMachineIsAlone(Size size) {
        SimulatedCluster alone =
                new SimulatedCluster(
                        List.of(Clusters.kind("a", "x", 1, 2)),
                        SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
        for (Kind kind : EnumSet.complementOf(EnumSet.of(Kind.AUTO))) {
            StrategySpec strategy = StrategySpec.defaults(kind);
            SimulatedRun run = Simulator.run(alone, size.load(), strategy, 64, 1);
            assertThat(run.speedUp()).isCloseTo(1, NEARLY);
            assertThat(run.borders()).isEmpty();
        }
    }

    @ParameterizedTest
    @Tag("property")
    @EnumSource
    void shouldScaleLinearlyWhereTheNetworkCostsNothing(Size size) {
        for (int machines : new int[] {2, 5, 16, 40}) {
            SimulatedMachine kind = Clusters.unlimited(Clusters.kind("a", "x", machines, 200));
            SimulatedCluster cluster =
                    new SimulatedCluster(
                            List.of(kind), SimulatedLinks.of(Clusters.FREE, Clusters.FREE));
            SimulatedRun run =
                    Simulator.run(cluster, size.load(), StrategySpec.defaults(), 64 * machines, 1);
            // What is left are the messages' costs in the processes.
            assertThat(run.speedUp()).isCloseTo(machines, Percentage.withPercentage(2));
        }
    }

    @ParameterizedTest
    @Tag("property")
    @MethodSource("seeds")
    void shouldSendWhatTheSchemeNeedsAndNoMore(long seed) {
        RandomGenerator random = Seeds.generator(seed, 3);
        int sites = 2 + random.nextInt(3);
        List<SimulatedMachine> kinds = new ArrayList<>();
        for (int site = 0; site < sites; site++) {
            kinds.add(Clusters.kind("m" + site, "s" + site, 1 + random.nextInt(4), 1));
        }
        SimulatedCluster cluster =
                new SimulatedCluster(kinds, SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
        long bytes = 8_000_000 + random.nextInt(8_000_000);
        SimulatedRun run =
                Simulator.run(cluster, Clusters.ofBytes(bytes), StrategySpec.defaults(), 64, seed);
        double crossed = run.borders().stream().mapToDouble(b -> b.bytesPerStep()).sum();
        double tail = 5.0 * Double.BYTES * cluster.size();
        // SHARES: 2(C-1)/C of the slice leave each site. LEADERS: (C-1) of the tail.
        double expected = 2.0 * (sites - 1) * bytes + sites * (sites - 1) * tail;
        assertThat(crossed).isCloseTo(expected, within(1.0));
        // Of m ranks m-1 parts go to those who own them, and come back as sums.
        double inside = 2.0 * (cluster.size() - sites) * (bytes + tail);
        assertThat(run.insideBytesPerSample() * 64).isCloseTo(inside, within(1.0));
    }

    @Test
    @Tag("unit")
    void shouldSayWhatTheWholeTrainingMoves() {
        double samples = 240_000;
        double perBatch = Clusters.fashionCnn().gradientBytes();
        List<ScalingStudy.Row> apart = scaled("y", samples);
        assertThat(apart.get(0).betweenBytes() + apart.get(0).insideBytes()).isZero();
        assertThat(apart.get(1).betweenBytes())
                .as("both ways over the only border, in every batch of 256")
                .isCloseTo(2 * perBatch * samples / 256, Percentage.withPercentage(1))
                .isCloseTo(apart.get(1).borderBytesPerSample() * samples, NEARLY);
        assertThat(apart.get(1).insideBytes())
                .as("two sites of two, there and back")
                .isCloseTo(4 * perBatch * samples / 256, Percentage.withPercentage(1));
        ScalingStudy.Row together = scaled("x", samples).get(1);
        assertThat(together.betweenBytes()).isZero();
        assertThat(together.insideBytes())
                .as("of four ranks three parts there and back")
                .isCloseTo(6 * perBatch * samples / 256, Percentage.withPercentage(1));
    }

    /** One machine, then four of 64 samples each, the second half of them at the other site. */
    private static List<ScalingStudy.Row> scaled(String other, double samples) {
        SimulatedCluster cluster =
                new SimulatedCluster(
                        List.of(Clusters.kind("a", "x", 2, 1), Clusters.kind("b", other, 2, 1)),
                        SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
        ScalingStudy scaling =
                new ScalingStudy(
                        cluster,
                        Clusters.fashionCnn(),
                        256,
                        ScalingStudy.Growth.GROWS,
                        samples,
                        null,
                        1);
        StrategySpec every = StrategySpec.defaults();
        return scaling.rows(List.of(new ScalingStudy.Candidate("every", every)), List.of(1, 4));
    }

    @Test
    @Tag("unit")
    void shouldSumTheSameWayHoweverCloselyARingIsSimulated() {
        for (long bytes : new long[] {1000, 1_000_000, 100_000_000}) {
            double byMessage = ringNs(Ring::new, bytes);
            assertThat(ringNs(LongRing::new, bytes))
                    .isCloseTo(byMessage, Percentage.withPercentage(6));
        }
    }

    private interface Making {
        SliceSum of(EventQueue events, Fabric fabric, double bytes, IntConsumer done);
    }

    private static double ringNs(Making ring, long bytes) {
        SimulatedLinks links = SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN);
        List<SimulatedMachine> kinds = List.of(Clusters.kind("a", "x", 12, 1));
        EventQueue events = new EventQueue();
        Fabric fabric = new Fabric(new SimulatedCluster(kinds, links), 1);
        SliceSum course = ring.of(events, fabric, bytes, rank -> {});
        for (int rank = 0; rank < fabric.size(); rank++) {
            int entering = rank;
            events.at(0, () -> course.enter(entering));
        }
        events.run();
        return events.nowNs();
    }

    @Test
    @Tag("unit")
    void shouldSendLessThroughACodec() {
        SimulatedCluster cluster =
                new SimulatedCluster(
                        List.of(Clusters.kind("a", "x", 2, 1), Clusters.kind("b", "y", 2, 1)),
                        SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
        TrainingLoad load = Clusters.ofBytes(16_000_000);
        SimulatedRun whole = Simulator.run(cluster, load, StrategySpec.defaults(), 64, 1);
        StrategySpec int8 = StrategySpec.defaults().with(Compress.INT8);
        SimulatedRun coded = Simulator.run(cluster, load, int8, 64, 1);
        double part = coded.egressBytesPerSample() / whole.egressBytesPerSample();
        assertThat(part).isCloseTo(8.06 / 32, within(0.001));
        assertThat(coded.stepNs()).isLessThan(0.4 * whole.stepNs());
    }

    @Test
    @Tag("unit")
    void shouldLoseThePartOfTheTimeThatSpotMachinesAreAway() {
        long hour = 3_600_000_000_000L;
        SimulatedMachine steady = Clusters.kind("a", "x", 4, 1);
        SimulatedMachine spot =
                new SimulatedMachine(
                        steady.machine(),
                        4,
                        steady.time(),
                        steady.bytesPerSecond(),
                        Disturbance.NONE.lost(9 * hour, hour));
        SimulatedLinks links = SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN);
        TrainingLoad load = Clusters.ofBytes(1_000_000);
        SimulatedRun all =
                Simulator.run(
                        new SimulatedCluster(List.of(steady), links),
                        load,
                        StrategySpec.defaults(),
                        64,
                        1);
        SimulatedRun lost =
                Simulator.run(
                        new SimulatedCluster(List.of(spot), links),
                        load,
                        StrategySpec.defaults(),
                        64,
                        1);
        assertThat(lost.samplesPerSecond() / all.samplesPerSecond()).isCloseTo(0.9, within(0.02));
    }

    @Test
    @Tag("unit")
    void shouldGiveFasterMachinesMore() {
        SimulatedCluster cluster =
                new SimulatedCluster(
                        List.of(Clusters.kind("a", "x", 1, 1), Clusters.kind("b", "x", 1, 3)),
                        SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
        SimulatedRun run =
                Simulator.run(cluster, Clusters.fashionCnn(), StrategySpec.defaults(), 64, 1);
        assertThat(run.shares()).isEqualTo(List.of(48, 16));
    }

    @Test
    @Tag("unit")
    void shouldRefuseABatchWithoutASampleForEveryMachine() {
        SimulatedCluster cluster =
                new SimulatedCluster(
                        List.of(Clusters.kind("a", "x", 9, 1)),
                        SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
        assertThatThrownBy(
                        () ->
                                Simulator.run(
                                        cluster,
                                        Clusters.fashionCnn(),
                                        StrategySpec.defaults(),
                                        8,
                                        1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("train.batch=8")
                .hasMessageContaining("9 machines");
    }

    private static SimulatedMachine restless(SimulatedMachine kind) {
        Disturbance unrest = Disturbance.NONE.varying(0.1).withQuota(0.5, 20_000_000);
        return new SimulatedMachine(
                kind.machine(), kind.count(), kind.time(), kind.bytesPerSecond(), unrest);
    }

    /** Models of all sizes. */
    enum Size {
        SMALL(1 << 12),
        MIDDLE(1 << 20),
        LARGE(100 << 20);

        private final long bytes;

        Size(long bytes) {
            this.bytes = bytes;
        }

        TrainingLoad load() {
            return new TrainingLoad(
                    "test", List.of(new Bucket(bytes, 0.4), new Bucket(bytes, 1)), 0, bytes / 2);
        }
    }

    /** A cluster, a model and a strategy. */
    private record Case(
            SimulatedCluster cluster, TrainingLoad load, StrategySpec strategy, int batch) {
        static Case draw(long seed) {
            RandomGenerator random = Seeds.generator(seed, 1);
            int kinds = 1 + random.nextInt(4);
            List<SimulatedMachine> all = new ArrayList<>();
            for (int i = 0; i < kinds; i++) {
                String site = "s" + random.nextInt(3);
                double betaMs = 0.2 + 3 * random.nextDouble();
                all.add(Clusters.kind("m" + i, site, 1 + random.nextInt(3), betaMs));
            }
            LinkPath between =
                    Clusters.way(1 + 40 * random.nextDouble(), 1e7 + 9e8 * random.nextDouble());
            SimulatedCluster cluster =
                    new SimulatedCluster(all, SimulatedLinks.of(Clusters.GIGABIT, between));
            List<Bucket> buckets = new ArrayList<>();
            int count = 1 + random.nextInt(5);
            for (int i = 1; i <= count; i++) {
                buckets.add(new Bucket(1000 + random.nextInt(4_000_000), i / (double) count));
            }
            Kind kind = Kind.values()[random.nextInt(3)]; // The others: WithinTest.
            TrainingLoad load = new TrainingLoad("drawn", buckets, 0, 1000);
            return new Case(cluster, load, StrategySpec.defaults(kind), 64 * cluster.size());
        }

        SimulatedRun run(SimulatedCluster on) {
            return Simulator.run(on, load, strategy, batch, 1);
        }
    }
}
