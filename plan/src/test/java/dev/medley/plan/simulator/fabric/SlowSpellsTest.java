package dev.medley.plan.simulator.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.base.strategy.StrategySpec.Stragglers;
import dev.medley.base.strategy.StrategySpec.Stragglers.Policy;
import dev.medley.plan.simulator.SimulatedRun;
import dev.medley.plan.simulator.Simulator;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Connections that are slow for a while, and whether the others wait for them. */
class SlowSpellsTest {
    private static final double S = 1e9;
    private static final SlowSpell SPELL = new SlowSpell("b", 5 * S, 20 * S, 100);
    private static final StrategySpec WAIT = StrategySpec.defaults();
    private static final StrategySpec LEAVE = WAIT.with(new Stragglers(Policy.LEAVE, 3));

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void aMachineWhoseLinkBecomesSlowShouldSitOutAndComeBack(long seed) {
        SimulatedRun run = run(restless(seed).slow(List.of(SPELL)), LEAVE, seed);
        assertThat(run.said().get(0)).contains("the link of worker-4 carries", "it sits out");
        assertThat(run.said()).anyMatch(said -> said.endsWith("and is asked back"));
        assertThat(run.said()).allMatch(said -> !said.contains("worker-") || said.contains("er-4"));
        assertThat(run.shares()).as("all take part again").hasSize(run.machines());
        SimulatedRun waiting = run(restless(seed).slow(List.of(SPELL)), WAIT, seed);
        assertThat(run.samplesPerSecond()).isGreaterThan(1.5 * waiting.samplesPerSecond());
        assertThat(waiting.said()).isEmpty();
    }

    /** Of machines that only vary nobody leaves, and nobody is told of anything. */
    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void whereNothingBecomesSlowLeavingShouldBeWaiting(long seed) {
        assertThat(run(restless(seed), LEAVE, seed)).isEqualTo(run(restless(seed), WAIT, seed));
    }

    /** The first of a site is the one whose ways to other sites are probed. */
    @Test
    @Tag("unit")
    void aMachineThatOthersReachTheOtherSiteByShouldBeFoundToo() {
        SimulatedCluster cluster =
                new SimulatedCluster(
                        List.of(Clusters.kind("b", "x", 2, 1), Clusters.kind("c", "y", 2, 1)),
                        SimulatedLinks.of(Clusters.GIGABIT, Clusters.way(1, 1e9)));
        SimulatedRun run = run(cluster.slow(List.of(SPELL)), LEAVE, 1);
        assertThat(run.said().get(0)).contains("the link of worker-1 carries", "it sits out");
        assertThat(run.shares()).hasSize(4);
    }

    @Test
    @Tag("unit")
    void ofTwoMachinesNobodyShouldKnowWhoseLinkItIs() {
        SimulatedCluster two =
                new SimulatedCluster(
                        List.of(Clusters.kind("a", "x", 1, 1), Clusters.kind("b", "x", 1, 1)),
                        SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
        assertThat(run(two.slow(List.of(SPELL)), LEAVE, 1).said()).isEmpty();
    }

    @Test
    @Tag("unit")
    void aLinkThatIsHardlySlowerShouldBeBorne() {
        SlowSpell mild = new SlowSpell("b", 5 * S, 20 * S, 1.5);
        assertThat(run(restless(1).slow(List.of(mild)), LEAVE, 1).said()).isEmpty();
    }

    /** Rounds are steps: what leaves and comes back does so between them. */
    @Test
    @Tag("unit")
    void aMachineShouldLeaveRoundsToo() {
        StrategySpec rounds = StrategySpec.defaults(Kind.LOCAL_SGD).with(LEAVE.stragglers());
        SlowSpell spell = new SlowSpell("b", 20 * S, 60 * S, 300);
        SimulatedRun run = run(restless(1).slow(List.of(spell)), rounds, 1);
        assertThat(run.said().get(0)).contains("the link of worker-4 carries", "it sits out");
        assertThat(run.shares().stream().mapToInt(share -> share).sum()).isEqualTo(16 * 256);
    }

    @Test
    @Tag("unit")
    void aSpellShouldBeOfAMachineThatIsThere() {
        SimulatedCluster cluster = restless(0).slow(List.of(SPELL));
        assertThat(cluster.ofSize(4).spells()).containsExactly(SPELL);
        assertThat(cluster.ofSize(1).spells()).as("the other kind alone").isEmpty();
        assertThatThrownBy(() -> restless(0).slow(List.of(new SlowSpell("c", 0, S, 2))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("machine c");
        assertThatThrownBy(() -> new SlowSpell("b", 0, S, 1)).isInstanceOf(ConfigException.class);
    }

    /**
     * A byte takes a hundred times as long while it lasts, and what it always took before and
     * after.
     */
    @Test
    @Tag("unit")
    void aConnectionShouldBeSlowFromThenOnForSoLong() {
        Pipe usual = Pipe.ofMachine(1e6);
        double usualNs = usual.send(0, 1000);
        for (double at : new double[] {4.9 * S, 25 * S}) {
            assertThat(Pipe.ofMachine(1e6, List.of(SPELL)).send(at, 1000) - at)
                    .isCloseTo(usualNs, Percentage.withPercentage(1e-3));
        }
        assertThat(Pipe.ofMachine(1e6, List.of(SPELL)).send(5 * S, 1000) - 5 * S)
                .isCloseTo(100 * usualNs, Percentage.withPercentage(1e-3));
    }

    private static SimulatedCluster restless(long seed) {
        Disturbance unrest = Disturbance.NONE.varying(0.02 * (seed % 5));
        SimulatedMachine a = Clusters.kind("a", "x", 3, 1);
        SimulatedMachine b = Clusters.kind("b", "x", 1, 1);
        return new SimulatedCluster(
                List.of(
                        new SimulatedMachine(a.machine(), 3, a.time(), 125e6, unrest),
                        new SimulatedMachine(b.machine(), 1, b.time(), 125e6, unrest)),
                SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
    }

    private static SimulatedRun run(SimulatedCluster cluster, StrategySpec strategy, long seed) {
        return Simulator.run(cluster, Clusters.fashionCnn(), strategy, 64 * cluster.size(), seed);
    }
}
