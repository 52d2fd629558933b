package dev.medley.plan.simulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StrategySpec.Stragglers;
import dev.medley.base.strategy.StrategySpec.Stragglers.Policy;
import dev.medley.plan.simulator.SimulatedRun;
import dev.medley.plan.simulator.Simulator;
import dev.medley.profile.cluster.LinkPath;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code compress: auto} in simulated runs. */
class OpenCodecTest {
    private static final StrategySpec EVERY_STEP = StrategySpec.defaults();
    private static final StrategySpec ROUNDS = StrategySpec.defaults(Kind.DILOCO);
    private static final LinkPath FAT = Clusters.way(0.5, 40e9);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 3);
    }

    /** 1.7 MB cross in 0.4 ms, a batch takes 64. */
    @Test
    @Tag("unit")
    void overAFatLinkNothingShouldBeCoded() {
        for (StrategySpec each : List.of(EVERY_STEP, ROUNDS)) {
            SimulatedRun none = run(FAT, each, 1);
            SimulatedRun auto = run(FAT, open(each), 1);
            assertThat(auto.egressBytesPerSample())
                    .isCloseTo(none.egressBytesPerSample(), Percentage.withPercentage(1e-6));
            assertThat(auto.stepNs()).isCloseTo(none.stepNs(), Percentage.withPercentage(1));
        }
    }

    /** 1.7 MB cross in 155 ms, of a batch of 64: bytes are what a step waits for. */
    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void overAThinLinkBytesShouldBeFewer(long seed) {
        SimulatedRun none = run(Clusters.THIN, EVERY_STEP, seed);
        SimulatedRun auto = run(Clusters.THIN, open(EVERY_STEP), seed);
        assertThat(auto.egressBytesPerSample()).isLessThan(0.8 * none.egressBytesPerSample());
        assertThat(auto.samplesPerSecond()).isGreaterThan(1.2 * none.samplesPerSecond());
        assertThat(run(Clusters.THIN, open(EVERY_STEP), seed)).isEqualTo(auto);
    }

    /**
     * Of four thirds that a site sends three are coded where its link to one of the two others is:
     * to that one what it adds, to both the whole sum of a third. The last site codes nothing.
     */
    @Test
    @Tag("unit")
    void aBorderWithACodecOfItsOwnShouldSpareItsBytesAlone() {
        SimulatedCluster three =
                new SimulatedCluster(
                        List.of(
                                Clusters.kind("a", "x", 1, 1),
                                Clusters.kind("b", "y", 1, 1),
                                Clusters.kind("c", "z", 1, 1)),
                        SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
        BorderCodec there = new BorderCodec("x", "y", Compress.INT4);
        BorderCodec back = new BorderCodec("y", "x", Compress.INT4);
        StrategySpec thin =
                EVERY_STEP.with(Compress.NONE, CodecSpec.DEFAULT.at(List.of(there, back)));
        double none = sent(three, EVERY_STEP);
        double part = sent(three, EVERY_STEP.with(Compress.INT4)) / none;
        assertThat(sent(three, thin) / none)
                .isCloseTo((2 * part + 2) / 4, Percentage.withPercentage(3));
    }

    private static double sent(SimulatedCluster cluster, StrategySpec strategy) {
        return Simulator.run(cluster, Clusters.fashionCnn(), strategy, 256, 1)
                .egressBytesPerSample();
    }

    /** What is borne of a codec's error falls while training goes on. */
    @Test
    @Tag("unit")
    void itsCodecShouldGetFinerTowardsTheEnd() {
        double none = run(Clusters.THIN, EVERY_STEP, 1).egressBytesPerSample();
        double auto = run(Clusters.THIN, open(EVERY_STEP), 1).egressBytesPerSample();
        double coarse =
                run(Clusters.THIN, EVERY_STEP.with(Compress.INT4), 1).egressBytesPerSample();
        double fine = run(Clusters.THIN, EVERY_STEP.with(Compress.INT8), 1).egressBytesPerSample();
        assertThat(auto).isBetween(coarse, fine).isLessThan(none);
        assertThat(auto).as("neither alone").isNotCloseTo(coarse, Percentage.withPercentage(5));
        assertThat(auto).isNotCloseTo(fine, Percentage.withPercentage(5));
    }

    /** Both plans around the same shares: who leaves and what is sent are decided side by side. */
    @Test
    @Tag("simulation")
    void aMachineShouldLeaveMeanwhile() {
        StrategySpec both = open(EVERY_STEP).with(new Stragglers(Policy.LEAVE, 3));
        SlowSpell spell = new SlowSpell("a", 10e9, 20e9, 100);
        SimulatedRun run =
                Simulator.run(
                        cluster(Clusters.way(1, 1e9)).slow(List.of(spell)),
                        Clusters.fashionCnn(),
                        both,
                        256,
                        1);
        assertThat(run.said()).anyMatch(said -> said.contains("it sits out"));
        assertThat(run.shares()).hasSize(4);
    }

    /** The thinner the link, the coarser: never the other way round. */
    @Test
    @Tag("property")
    void aThinnerLinkShouldNotMakeItFiner() {
        double part = 0;
        for (double bitsPerSecond : new double[] {1e7, 3e7, 1e8, 3e8, 1e9, 1e10}) {
            LinkPath way = Clusters.way(5, bitsPerSecond);
            double left =
                    run(way, open(EVERY_STEP), 1).egressBytesPerSample()
                            / run(way, EVERY_STEP, 1).egressBytesPerSample();
            assertThat(left).isGreaterThan(part - 1e-6);
            part = left;
        }
        assertThat(part).isCloseTo(1, Percentage.withPercentage(1e-6));
    }

    private static StrategySpec open(StrategySpec strategy) {
        return strategy.with(Compress.AUTO);
    }

    private static SimulatedRun run(LinkPath between, StrategySpec strategy, long seed) {
        return Simulator.run(cluster(between), Clusters.fashionCnn(), strategy, 256, seed);
    }

    private static SimulatedCluster cluster(LinkPath between) {
        return new SimulatedCluster(
                List.of(Clusters.kind("a", "x", 2, 1), Clusters.kind("b", "y", 2, 1)),
                SimulatedLinks.of(Clusters.GIGABIT, between));
    }
}
