package dev.medley.training.strategy;

import static dev.medley.training.strategy.QuorumRanks.gossip;
import static dev.medley.training.strategy.QuorumRanks.play;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Clock;
import dev.medley.base.Seeds;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.QuorumSpec;
import dev.medley.base.memory.Batch;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.training.bucket.RoundTable;
import dev.medley.training.strategy.Part.Patience;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rounds of a gossip that end without a worker, of ranks on threads with a real exchange between
 * them. The steps of most tests are so short that every gradient is that at the start: then the
 * change of the parameters says which batches are in the sum, and how often.
 */
@Tag("real")
class QuorumGossipTest {
    private static final double SHORT = 1e-6;
    private static final OptimizerSpec SHORT_STEPS =
            AsyncRank.optimizer(OptimizerSpec.Kind.SGD, SHORT);
    private static final List<Integer> COUNTS = List.of(4, 4, 4);
    private static final int SLOW = 2;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    /** Of three the first two; one letter of each in a round, behind its second step. */
    private static Function<Replica, Strategy> shortSteps(int lateRounds) {
        return gossip(SHORT_STEPS, 2, QuorumSpec.of(2).waiting(0).gating(0.25, lateRounds));
    }

    /**
     * What a rank saw of its rounds.
     *
     * @param parameters at first and after each round
     * @param rows of the slow rank
     * @param weights of the slow rank's samples in the tail
     */
    private record Seen(
            List<double[]> parameters, List<RoundTable.Row> rows, List<Double> weights) {
        static Seen of(QuorumRank worker) {
            Seen seen = new Seen(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            seen.parameters.add(AsyncRank.doubles(worker.replica));
            return seen;
        }

        void round(QuorumRank worker, long step, Patience patience, IntFunction<Batch> feed) {
            RoundTable table = worker.round(step, patience, COUNTS, feed);
            parameters.add(AsyncRank.doubles(worker.replica));
            rows.add(table.row(SLOW));
            weights.add(worker.weight(SLOW));
        }

        double[] moved(int round) {
            double[] moved = parameters.get(round).clone();
            Arrays.setAll(moved, i -> parameters.get(round - 1)[i] - moved[i]);
            return moved;
        }
    }

    /**
     * A letter to the slow worker comes while it is in its batch: the gate is before the second.
     */
    private static IntFunction<Batch> first(int rank, Gate gate) {
        return rank == SLOW ? gate.slow(rank, 3) : gate.fast(rank, 1);
    }

    /** Who is through the gate has sent letters of this round. */
    private static IntFunction<Batch> second(int rank, Gate gate) {
        return rank == SLOW ? Gate.own(rank) : gate.passing(rank, 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 0})
    void aRoundShouldEndWithoutABatchThatCountsInTheNextOrIsDropped(int lateRounds)
            throws Exception {
        Gate gate = new Gate(2);
        List<Seen> all =
                play(
                        3,
                        shortSteps(lateRounds),
                        (worker, rank) -> {
                            Seen seen = Seen.of(worker);
                            seen.round(worker, 1, Patience.NONE, first(rank, gate));
                            seen.round(worker, 2, Patience.ALL, second(rank, gate));
                            return seen;
                        });
        assertEqualParameters(all);
        boolean isTaken = lateRounds > 0;
        long batch = AsyncRank.SAMPLES;
        long late = isTaken ? batch : 0;
        Seen seen = all.get(SLOW);
        assertThat(seen.rows())
                .containsExactly(
                        new RoundTable.Row(0, 3 * batch, true, 0, 0),
                        new RoundTable.Row(0, 4 * batch, false, late, late));
        assertThat(seen.weights()).containsExactly(3.0 * batch, 4.0 * batch + late);
        assertMoved(seen, 1, batches(4, 4, 3));
        List<Batch> next = batches(4, 4, 4);
        next.addAll(AsyncRank.batches(SLOW, 4).subList(isTaken ? 3 : 4, 4));
        assertMoved(seen, 2, next);
    }

    /** Its samples are dealt anew then. */
    @Test
    void aLateBatchShouldEndWithItsGroup() throws Exception {
        Gate gate = new Gate(2);
        CyclicBarrier together = new CyclicBarrier(COUNTS.size());
        List<Seen> all =
                play(
                        3,
                        shortSteps(4),
                        (worker, rank) -> {
                            Seen seen = Seen.of(worker);
                            seen.round(worker, 1, Patience.NONE, first(rank, gate));
                            gate.passed();
                            await(together);
                            worker.formedAnew();
                            await(together);
                            seen.round(worker, 2, Patience.ALL, Gate.own(rank));
                            return seen;
                        });
        assertEqualParameters(all);
        long batch = AsyncRank.SAMPLES;
        assertThat(all.get(SLOW).rows())
                .containsExactly(
                        new RoundTable.Row(0, 3 * batch, true, 0, 0),
                        new RoundTable.Row(0, 4 * batch, false, 0, 0));
        assertMoved(all.get(SLOW), 2, batches(4, 4, 4));
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void whoIsLateAgainShouldHaveGivenItsLateBatch() throws Exception {
        List<Gate> gates = List.of(new Gate(2), new Gate(2));
        List<Seen> all =
                play(
                        3,
                        shortSteps(4),
                        (worker, rank) -> {
                            Seen seen = Seen.of(worker);
                            seen.round(worker, 1, Patience.NONE, first(rank, gates.get(0)));
                            gates.get(0).passed();
                            Gate gate = gates.get(1);
                            IntFunction<Batch> again =
                                    rank == SLOW ? gate.slow(rank, 1) : gate.fast(rank, 1);
                            seen.round(worker, 2, Patience.NONE, again);
                            gate.passed();
                            seen.round(worker, 3, Patience.ALL, Gate.own(rank));
                            return seen;
                        });
        assertEqualParameters(all);
        long batch = AsyncRank.SAMPLES;
        Seen seen = all.get(SLOW);
        assertThat(seen.rows())
                .containsExactly(
                        new RoundTable.Row(0, 3 * batch, true, 0, 0),
                        new RoundTable.Row(0, batch, true, batch, batch),
                        new RoundTable.Row(0, 4 * batch, false, batch, batch));
        List<Batch> second = batches(4, 4, 1);
        second.add(AsyncRank.batch(SLOW, 3));
        assertMoved(seen, 2, second);
        List<Batch> third = batches(4, 4, 4);
        third.add(AsyncRank.batch(SLOW, 1));
        assertMoved(seen, 3, third);
    }

    /** What is given then would be half of a step. */
    @Test
    void aRoundShouldNotEndWithinAStepThatMovesTheParameters() throws Exception {
        Gate gate = new Gate(1);
        List<RoundTable.Row> rows = new ArrayList<>();
        List<Seen> all =
                play(
                        3,
                        shortSteps(4),
                        (worker, rank) -> {
                            Seen seen = Seen.of(worker);
                            if (rank == SLOW) {
                                worker.rates = index -> index == 2 ? whileOthersEnd(gate) : 1;
                            }
                            boolean isSlow = rank == SLOW;
                            IntFunction<Batch> feed = isSlow ? Gate.own(rank) : gate.fast(rank, 1);
                            seen.round(worker, 1, Patience.NONE, feed);
                            if (isSlow) {
                                rows.addAll(worker.rows());
                            }
                            return seen;
                        });
        assertEqualParameters(all);
        // Which two are done first is not said: the slow one may be, when its step is over.
        int[] taken =
                rows.stream().mapToInt(row -> (int) row.taken() / AsyncRank.SAMPLES).toArray();
        assertThat(taken[SLOW]).isGreaterThanOrEqualTo(3);
        assertMoved(all.get(0), 1, batches(taken));
    }

    /**
     * The post hears that the others are done, and cannot go on with it before the step is done.
     */
    private static double whileOthersEnd(Gate gate) {
        gate.isThere();
        Clock clock = Clock.system();
        long untilNs = clock.nowNs() + TimeUnit.SECONDS.toNanos(20);
        while (Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("medley-post-" + SLOW))
                .noneMatch(thread -> thread.getState() == Thread.State.BLOCKED)) {
            assertThat(clock.nowNs()).as("it waits").isLessThan(untilNs);
            Thread.onSpinWait();
        }
        return 1;
    }

    /** Whoever is first ends the round, wherever the others are: at any moment of a batch. */
    @Test
    void whateverTheMomentEachBatchShouldCountOnce() throws Exception {
        int rounds = 60;
        List<List<RoundTable.Row>> tables = Collections.synchronizedList(new ArrayList<>());
        List<Seen> all =
                play(
                        3,
                        gossip(SHORT_STEPS, 2, QuorumSpec.of(1).waiting(0)),
                        (worker, rank) -> {
                            RandomGenerator random = Seeds.generator(rank);
                            Seen seen = Seen.of(worker);
                            for (int step = 1; step <= rounds; step++) {
                                seen.round(worker, step, Patience.NONE, uneven(rank, random));
                                if (rank == 0) {
                                    tables.add(worker.rows());
                                }
                            }
                            return seen;
                        });
        assertEqualParameters(all);
        assertThat(tables.stream().flatMap(List::stream))
                .as("somebody was late, and so was work")
                .anyMatch(RoundTable.Row::isLate)
                .anyMatch(row -> row.ofLateWork() > 0);
        for (int round = 1; round <= rounds; round++) {
            List<Batch> expected = new ArrayList<>();
            for (int rank = 0; rank < COUNTS.size(); rank++) {
                RoundTable.Row row = tables.get(round - 1).get(rank);
                int taken = (int) row.taken() / AsyncRank.SAMPLES;
                expected.addAll(AsyncRank.batches(rank, taken));
                if (row.ofLateWork() > 0) {
                    RoundTable.Row before = tables.get(round - 2).get(rank);
                    assertThat(before.isLate()).isTrue();
                    expected.add(AsyncRank.batch(rank, (int) before.taken() / AsyncRank.SAMPLES));
                }
            }
            assertMoved(all.get(0), round, expected);
        }
    }

    /** Batches that take unlike long to come. */
    private static IntFunction<Batch> uneven(int rank, RandomGenerator random) {
        return index -> {
            Batch batch = Gate.own(rank).apply(index);
            for (int turns = random.nextInt(2000); turns > 0; turns--) {
                Thread.onSpinWait();
                Thread.yield();
            }
            return batch;
        };
    }

    /** It has so many batches that it cannot end but by stopping. */
    @Test
    void aSlowWorkerShouldStopBetweenTwoBatches() throws Exception {
        List<Integer> counts = List.of(3, 3, Integer.MAX_VALUE);
        List<String> hashes =
                play(
                        3,
                        shortSteps(4),
                        (worker, rank) -> {
                            RoundTable table =
                                    worker.round(1, Patience.BATCH, counts, Gate.own(rank));
                            RoundTable.Row slow = table.row(SLOW);
                            assertThat(slow.isLate()).isFalse();
                            assertThat(worker.weight(SLOW)).isEqualTo(slow.taken());
                            if (rank == SLOW) {
                                long taken = (long) AsyncRank.SAMPLES * worker.taken.get(0);
                                assertThat(slow.taken()).isEqualTo(taken);
                            }
                            return worker.hash();
                        });
        assertThat(hashes).hasSize(3).containsOnly(hashes.get(0));
    }

    /** Its losses were finite so far; nobody goes on from what it gives. */
    @Test
    void aLateWorkerWithoutFiniteParametersShouldMakeTheRoundUnsound() throws Exception {
        Gate gate = new Gate(2);
        List<Boolean> areKept =
                play(
                        3,
                        shortSteps(4),
                        (worker, rank) -> {
                            String before = worker.hash();
                            IntFunction<Batch> feed = first(rank, gate);
                            IntFunction<Batch> spoiling =
                                    index -> {
                                        if (rank == SLOW && index == 3) {
                                            spoil(worker.replica);
                                        }
                                        return feed.apply(index);
                                    };
                            int rankToBlame = worker.unsound(1, Patience.NONE, COUNTS, spoiling);
                            gate.passed();
                            assertThat(rankToBlame).isEqualTo(SLOW);
                            return worker.hash().equals(before);
                        });
        assertThat(areKept).containsOnly(true);
    }

    private static void spoil(Replica replica) {
        replica.parameters().buffer().putDouble(0, Double.NaN);
    }

    /** Without letters within the round, whose order in time decides what is added to what. */
    @Test
    void aQuorumOfAllShouldBeAGossipThatWaitsForAllBitByBit() throws Exception {
        OptimizerSpec rule = AsyncRank.optimizer(OptimizerSpec.Kind.ADAMW, 0.02);
        Function<Replica, Strategy> plain =
                replica ->
                        new Gossip(replica, replica.optimizer(rule), new Gossip.Settings(9, 7, 0));
        List<String> hashes = new ArrayList<>();
        for (Function<Replica, Strategy> each :
                List.of(plain, gossip(rule, 9, QuorumSpec.of(2).waiting(0)))) {
            hashes.addAll(
                    play(
                            2,
                            each,
                            (worker, rank) -> {
                                for (int step = 1; step <= 3; step++) {
                                    List<Integer> counts = List.of(5, 2);
                                    rounds(worker, each == plain, step, counts, rank);
                                }
                                return worker.hash();
                            }));
        }
        assertThat(hashes).hasSize(4).containsOnly(hashes.get(0));
    }

    private static void rounds(
            QuorumRank worker, boolean isPlain, int step, List<Integer> counts, int rank) {
        if (isPlain) {
            worker.plain(step, counts, Gate.own(rank));
            return;
        }
        RoundTable table = worker.round(step, Patience.NONE, counts, Gate.own(rank));
        for (int each = 0; each < counts.size(); each++) {
            RoundTable.Row row = table.row(each);
            assertThat(row.taken()).isEqualTo((long) AsyncRank.SAMPLES * counts.get(each));
            assertThat(row.isLate()).isFalse();
        }
    }

    /** One of four misses every second round: 5 % of the loss that there was before. */
    @ParameterizedTest
    @EnumSource(
            value = OptimizerSpec.Kind.class,
            names = {"SGD", "ADAMW"})
    void shouldLearnAboutWhatOneProcessLearnsThoughOneIsLate(OptimizerSpec.Kind kind)
            throws Exception {
        List<Integer> counts = List.of(4, 4, 4, 4);
        List<Batch> samples = AsyncRank.all(counts);
        OptimizerSpec rule = AsyncRank.optimizer(kind, 0.02);
        int rounds = 30;
        try (AsyncRank.Alone alone = new AsyncRank.Alone(rule)) {
            double before = AsyncRank.loss(alone.replica, samples);
            for (int i = 0; i < rounds * 4; i++) {
                alone.step(samples.subList(i % 4 * 4, i % 4 * 4 + 4));
            }
            double expected = AsyncRank.loss(alone.replica, samples);
            assertThat(expected).isLessThan(before / 2);
            List<Gate> gates = Stream.generate(() -> new Gate(3)).limit(rounds).toList();
            List<String> hashes = Collections.synchronizedList(new ArrayList<>());
            List<Double> losses =
                    play(
                            4,
                            gossip(rule, 1, QuorumSpec.of(0.75).waiting(0)),
                            (worker, rank) -> {
                                everySecondLate(worker, rank, gates, counts);
                                hashes.add(worker.hash());
                                return AsyncRank.loss(worker.replica, samples);
                            });
            assertThat(hashes).hasSize(4).containsOnly(hashes.get(0));
            assertThat(losses.get(0)).isLessThan(expected + 0.05 * before);
        }
    }

    private static void everySecondLate(
            QuorumRank worker, int rank, List<Gate> gates, List<Integer> counts) {
        for (int step = 1; step <= gates.size(); step++) {
            Gate gate = gates.get(step - 1);
            boolean isMissed = step % 2 == 1;
            RoundTable table =
                    worker.round(
                            step,
                            isMissed ? Patience.NONE : Patience.ALL,
                            counts,
                            isMissed ? gate.of(rank, rank == 3) : Gate.own(rank));
            assertThat(table.row(3).isLate()).isEqualTo(isMissed);
            gate.passed();
        }
    }

    /** So many of each rank. */
    private static List<Batch> batches(int... counts) {
        return IntStream.range(0, counts.length)
                .boxed()
                .flatMap(rank -> AsyncRank.batches(rank, counts[rank]).stream())
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static void assertEqualParameters(List<Seen> all) {
        for (Seen seen : all) {
            for (int round = 0; round < seen.parameters().size(); round++) {
                assertThat(seen.parameters().get(round))
                        .containsExactly(all.get(0).parameters().get(round));
            }
        }
    }

    /** The common average moves by each batch's step, over the workers, once. */
    private static void assertMoved(Seen seen, int round, List<Batch> batches) {
        double[] moved = seen.moved(round);
        double[] expected = new double[moved.length];
        try (AsyncRank.Alone alone = new AsyncRank.Alone(SHORT_STEPS)) {
            Replica replica = alone.replica;
            for (Batch batch : batches) {
                replica.zeroGradients();
                double weight = replica.forwardBackward(batch, 1, slot -> {}).weight();
                DoubleBuffer gradient = replica.gradients().buffer().asDoubleBuffer();
                for (int i = 0; i < expected.length; i++) {
                    expected[i] += SHORT / COUNTS.size() * gradient.get(i) / weight;
                }
            }
        }
        double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        assertThat(largest).isPositive();
        assertThat(moved).containsExactly(expected, within(1e-3 * largest));
    }
}
