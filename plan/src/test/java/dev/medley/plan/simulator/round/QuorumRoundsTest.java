package dev.medley.plan.simulator.round;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Balance;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.plan.simulator.SimulatedGroup;
import dev.medley.plan.simulator.SimulatedRun;
import dev.medley.plan.simulator.Simulator;
import dev.medley.plan.simulator.fabric.Clusters;
import dev.medley.plan.simulator.fabric.Disturbance;
import dev.medley.plan.simulator.fabric.EventQueue;
import dev.medley.plan.simulator.fabric.Fabric;
import dev.medley.plan.simulator.fabric.RoundActivity;
import dev.medley.plan.simulator.fabric.SimulatedCluster;
import dev.medley.plan.simulator.fabric.SimulatedLinks;
import dev.medley.plan.simulator.fabric.SimulatedMachine;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rounds that end with a quorum and a grace. */
class QuorumRoundsTest {
    private static final int INNER_BATCH = 8;
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final double MS = 1e6;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    /** What a run learns from: whoever is late takes up its samples or others do, once each. */
    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void everySampleShouldBeInOneSumOrBehind(long seed) {
        Rounds rounds = new Rounds(seed);
        long begun = Rounds.OWED;
        long summed = 0;
        for (int i = 0; i < 30; i++) {
            summed += rounds.take();
            begun += rounds.samples();
            assertThat(summed + rounds.within.behind()).as("round %d", i).isEqualTo(begun);
        }
        assertThat(summed).as("most of it has come").isGreaterThan(begun / 2);
    }

    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void noRoundShouldEndBeforeItsQuorumHasCome(long seed) {
        Rounds rounds = new Rounds(seed);
        int quorum = rounds.spec.workers(rounds.size());
        for (int i = 0; i < 30; i++) {
            rounds.take();
            double[] handed = rounds.handedNs.clone();
            Arrays.sort(handed);
            double[] whole = rounds.wholeNs();
            assertThat(whole).as("done with all of theirs").hasSizeGreaterThanOrEqualTo(quorum);
            Arrays.sort(whole);
            double quorumNs = whole[quorum - 1];
            for (int rank = 0; rank < rounds.size(); rank++) {
                if (!rounds.isWhole(rank)) {
                    assertThat(rounds.handedNs[rank]).isGreaterThanOrEqualTo(quorumNs);
                }
            }
            double latest = quorumNs + Rounds.TOLD_NS + rounds.spec.graceNs((long) quorumNs);
            assertThat(handed[handed.length - 1])
                    .as("the grace is the same for all that began together")
                    .isLessThanOrEqualTo(latest);
        }
    }

    /** All begin a round at once, and take it in steps of random length. */
    private static final class Rounds {
        /** What a group before has left behind. */
        static final long OWED = 77;

        /** A letter's way, and what its bytes take. */
        static final double TOLD_NS = 110_000;

        final EventQueue events = new EventQueue();
        final RandomGenerator random;
        final QuorumSpec spec;
        final QuorumRounds within;
        final List<Integer> shares = new ArrayList<>();
        final double[] handedNs;
        private double beganNs;

        Rounds(long seed) {
            random = Seeds.generator(seed);
            int size = 2 + random.nextInt(6);
            spec =
                    QuorumSpec.of(1 + random.nextInt(size - 1))
                            .waiting((long) ((1 + random.nextInt(40)) * MS))
                            .gating(0.25, random.nextInt(4));
            SimulatedLinks links = SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN);
            SimulatedCluster cluster =
                    new SimulatedCluster(List.of(Clusters.kind("a", "x", size, 1)), links);
            within = new QuorumRounds(events, new Fabric(cluster, seed), spec, INNER_BATCH, OWED);
            for (int rank = 0; rank < size; rank++) {
                shares.add(20 + random.nextInt(100));
            }
            handedNs = new double[size];
        }

        int size() {
            return shares.size();
        }

        long samples() {
            return shares.stream().mapToLong(share -> share).sum();
        }

        long take() {
            within.begin(shares);
            beganNs = events.nowNs();
            for (int rank = 0; rank < size(); rank++) {
                int here = rank;
                int steps = (shares.get(rank) + INNER_BATCH - 1) / INNER_BATCH;
                double stepNs = (1 + random.nextInt(20)) * MS;
                RoundActivity.Turn turn =
                        new RoundActivity.Turn(
                                rank,
                                shares.get(rank),
                                steps,
                                () -> stepNs * (0.5 + random.nextDouble()));
                within.take(turn, ns -> handedNs[here] = events.nowNs() - beganNs);
            }
            events.run();
            within.end();
            return (long) within.summed((double) samples());
        }

        boolean isWhole(int rank) {
            return within.isWhole(rank);
        }

        double[] wholeNs() {
            return java.util.stream.IntStream.range(0, size())
                    .filter(this::isWhole)
                    .mapToDouble(rank -> handedNs[rank])
                    .toArray();
        }
    }

    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void aQuorumOfAllShouldBeNone(long seed) {
        SimulatedCluster cluster = restless(seed);
        for (Kind kind : List.of(Kind.LOCAL_SGD, Kind.DILOCO)) {
            StrategySpec none = StrategySpec.defaults(kind);
            SimulatedRun all = run(cluster, waitingFor(none, QuorumSpec.of(cluster.size())), seed);
            assertThat(all).isEqualTo(run(cluster, none, seed));
        }
    }

    /**
     * One machine is thrice as slow and has as much to do: with a grace of a day it is not late.
     */
    @Test
    @Tag("unit")
    void aGraceThatIsLongEnoughShouldBeWaitingForAll() {
        StrategySpec even = even();
        SimulatedRun all = run(uneven(), even, 1);
        SimulatedRun long_ = run(uneven(), waitingFor(even, QuorumSpec.of(3).waiting(DAY_NS)), 1);
        assertThat(long_.stepNs()).isCloseTo(all.stepNs(), Percentage.withPercentage(1e-3));
        assertThat(long_.samplesPerSecond())
                .isCloseTo(all.samplesPerSecond(), Percentage.withPercentage(1e-3));
    }

    /**
     * Three take 64 batches of 64 ms, the fourth one a third of it; all are dealt what it leaves.
     */
    @Test
    @Tag("unit")
    void aRoundShouldEndWithTheQuorumAndTheGrace() {
        StrategySpec even = even();
        SimulatedRun all = run(uneven(), even, 1);
        QuorumSpec quorum = QuorumSpec.of(0.75);
        SimulatedRun three = run(uneven(), waitingFor(even, quorum), 1);
        assertThat(three.samplesPerSecond()).isGreaterThan(1.8 * all.samplesPerSecond());
        assertThat(three.efficiency()).isBetween(0.85, 1.0);
        assertThat(three.stepNs()).isLessThan(0.7 * all.stepNs());
        SimulatedRun patient = run(uneven(), waitingFor(even, quorum.waiting((long) 2e9)), 1);
        assertThat(patient.stepNs()).isGreaterThan(three.stepNs());
    }

    /** Rounds wait for those that agree on time, whatever else is on the way: letters are few. */
    @Test
    @Tag("unit")
    void lettersOfAQuorumShouldBeSixtyFourBytesFromEachToEach() {
        StrategySpec even = even();
        SimulatedRun all = run(uneven(), even, 1);
        SimulatedRun long_ = run(uneven(), waitingFor(even, QuorumSpec.of(3).waiting(DAY_NS)), 1);
        double letters = 64 * 4 * 2;
        assertThat(long_.borders().get(0).bytesPerStep() - all.borders().get(0).bytesPerStep())
                .as("each of four tells the two of the other site")
                .isCloseTo(letters, within(1e-3));
    }

    /** Late work ends with its group, and its samples are dealt in the next. */
    @ParameterizedTest
    @Tag("simulation")
    @MethodSource("seeds")
    void whatAGroupLeavesBehindShouldBeInTheSumsOfTheNext(long seed) {
        EventQueue events = new EventQueue();
        Fabric fabric = new Fabric(uneven(), seed);
        StrategySpec three = waitingFor(even(), QuorumSpec.of(3));
        SimulatedGroup.Task task = new SimulatedGroup.Task(Clusters.fashionCnn(), three, 256, 0);
        SimulatedGroup first = new SimulatedGroup(events, fabric, task, 0, seed);
        List<Integer> shares = List.of(4096, 4096, 4096, 4096);
        double summed = 0;
        for (int i = 0; i < 1 + seed % 4; i++) {
            first.step(shares);
            summed += first.summed();
        }
        assertThat(first.behind()).isPositive();
        assertThat(summed + first.behind()).isEqualTo(4 * 4096.0 * (1 + seed % 4));
        Fabric fast = fabric.of(List.of(0, 1, 2));
        SimulatedGroup next = new SimulatedGroup(events, fast, task, first.behind(), seed);
        next.beginLater(first.latestNs());
        next.step(List.of(4096, 4096, 4096));
        assertThat(next.behind()).isZero();
        assertThat(next.summed()).isEqualTo(3 * 4096.0 + first.behind());
    }

    private static StrategySpec even() {
        return StrategySpec.defaults(Kind.DILOCO).with(List.of(), Balance.NONE);
    }

    private static StrategySpec waitingFor(StrategySpec strategy, QuorumSpec quorum) {
        return strategy.with(strategy.round().waitingFor(quorum));
    }

    /** Three alike, the fourth thrice as slow. */
    private static SimulatedCluster uneven() {
        return new SimulatedCluster(
                List.of(
                        Clusters.kind("a", "x", 2, 1),
                        Clusters.kind("b", "y", 1, 1),
                        Clusters.kind("c", "y", 1, 3)),
                SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
    }

    private static SimulatedCluster restless(long seed) {
        Disturbance unrest = Disturbance.NONE.varying(0.2).withQuota(0.5, 20_000_000);
        List<SimulatedMachine> kinds = new ArrayList<>();
        for (int i = 0; i < 2 + seed % 3; i++) {
            SimulatedMachine kind = Clusters.kind("m" + i, "s" + i % 2, 1, 1 + i);
            kinds.add(new SimulatedMachine(kind.machine(), 1, kind.time(), 125e6, unrest));
        }
        return new SimulatedCluster(kinds, SimulatedLinks.of(Clusters.GIGABIT, Clusters.THIN));
    }

    private static SimulatedRun run(SimulatedCluster cluster, StrategySpec strategy, long seed) {
        return Simulator.run(cluster, Clusters.fashionCnn(), strategy, 64 * cluster.size(), seed);
    }
}
