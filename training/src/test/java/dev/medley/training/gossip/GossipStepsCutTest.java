package dev.medley.training.gossip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.Batch;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.strategy.AsyncRank;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.Gate;
import dev.medley.training.strategy.Strategy;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Rounds of a gossip that end while their members go on, of ranks on threads with a real exchange
 * between them. The steps are so short that every gradient is that at the start: then the change of
 * the parameters says which batches are in a round, and how often.
 */
@Tag("real")
class GossipStepsCutTest {
    private static final double SHORT = 1e-6;
    private static final OptimizerSpec SHORT_STEPS =
            AsyncRank.optimizer(OptimizerSpec.Kind.SGD, SHORT);
    private static final int RANKS = 3;
    private static final int SLOW = 2;

    /** Batches of a rank in a round. */
    private static final int COUNT = 4;

    private static final List<Integer> COUNTS = List.of(COUNT, COUNT, COUNT);

    /** Batches that differ, so that it shows in which round each counts. */
    private static final int DIFFERENT = 3 * COUNT;

    private static final int MEMORY_BYTES = 1 << 16;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    /** What a rank saw: the parameters at first and after each round. */
    private record Seen(List<double[]> parameters) {
        static Seen of(AsyncRank worker) {
            Seen seen = new Seen(new ArrayList<>());
            seen.add(worker);
            return seen;
        }

        void add(AsyncRank worker) {
            parameters.add(worker.parameters());
        }

        double[] moved(int round) {
            double[] moved = parameters.get(round).clone();
            Arrays.setAll(moved, i -> parameters.get(round - 1)[i] - moved[i]);
            return moved;
        }
    }

    /** Batches that follow each other through all rounds. */
    private static final class Row implements Feed {
        private final IntFunction<Batch> batches;
        private int taken;

        Row(IntFunction<Batch> batches, int first) {
            this.batches = batches;
            this.taken = first;
        }

        @Override
        public Batch next() {
            return batches.apply(taken++);
        }

        @Override
        public boolean isWanted() {
            return true;
        }
    }

    private static Batch batch(int rank, int index) {
        return AsyncRank.batch(rank, index % DIFFERENT);
    }

    private static Strategy gossip(Replica replica) {
        return new GossipSteps(
                replica, replica.optimizer(SHORT_STEPS), new GossipSteps.Settings(1, 7, 0));
    }

    /** Whoever is ahead of whom, wherever the others are: at any moment of a batch. */
    @Test
    void whateverTheMomentEachBatchShouldCountOnceInItsRound() throws Exception {
        int rounds = 60;
        AtomicIntegerArray ahead = new AtomicIntegerArray(RANKS);
        List<Seen> all =
                play(
                        (worker, rank) -> {
                            RandomGenerator random = Seeds.generator(rank);
                            Row row = new Row(index -> afterAWhile(rank, index, random), 0);
                            Seen seen = Seen.of(worker);
                            for (int step = 1; step <= rounds; step++) {
                                round(worker, step, row, rounds);
                                seen.add(worker);
                                int most = row.taken - step * COUNT;
                                ahead.accumulateAndGet(rank, most, Math::max);
                            }
                            assertThat(row.taken).isEqualTo(rounds * COUNT);
                            return seen;
                        });
        assertEqualParameters(all);
        for (int round = 1; round <= rounds; round++) {
            assertMoved(all.get(0), round);
        }
        for (int rank = 0; rank < RANKS; rank++) {
            assertThat(ahead.get(rank)).as("somebody works ahead").isBetween(1, COUNT);
        }
    }

    private static void round(AsyncRank worker, int step, Row row, int last) {
        if (step == last) {
            worker.lastRound(step, row, COUNTS);
        } else {
            worker.round(step, row, COUNTS);
        }
    }

    /** Batches that take unlike long to come. */
    private static Batch afterAWhile(int rank, int index, RandomGenerator random) {
        Batch batch = batch(rank, index);
        for (int turns = random.nextInt(20_000); turns > 0; turns--) {
            Thread.onSpinWait();
        }
        return batch;
    }

    /**
     * It stands in the first round until the others have taken all but the last batch of the
     * second: with a meeting at the end of a round they never would.
     */
    @Test
    void nobodyShouldWaitForOneThatStandsForARound() throws Exception {
        Gate gate = new Gate(RANKS - 1);
        List<Seen> all =
                play(
                        (worker, rank) -> {
                            Seen seen = Seen.of(worker);
                            Row row = new Row(aRoundBehind(rank, gate, 2 * COUNT - 1), 0);
                            for (int step = 1; step <= 3; step++) {
                                round(worker, step, row, 3);
                                seen.add(worker);
                            }
                            return seen;
                        });
        assertEqualParameters(all);
        for (int round = 1; round <= 3; round++) {
            assertMoved(all.get(0), round);
        }
    }

    /** The slow one stands in its third batch until the others ask for the one of this index. */
    private static IntFunction<Batch> aRoundBehind(int rank, Gate gate, int last) {
        if (rank == SLOW) {
            return gate.slow(index -> batch(rank, index), 2);
        }
        return index -> {
            if (index == last) {
                gate.passed();
            }
            return batch(rank, index);
        };
    }

    /** All take it anew, from the parameters that are common. */
    @Test
    void whatWasTakenAheadShouldEndWithItsGroup() throws Exception {
        Gate gate = new Gate(RANKS - 1);
        CountDownLatch ended = new CountDownLatch(RANKS);
        List<Seen> all = new ArrayList<>();
        List<AsyncRank> workers = new ArrayList<>();
        for (int rank = 0; rank < RANKS; rank++) {
            workers.add(null);
            all.add(null);
        }
        try (RanksOnThreads ranks = new RanksOnThreads(RANKS)) {
            ranks.playWithPosts(
                    1,
                    MEMORY_BYTES,
                    collective -> {
                        int rank = collective.rank();
                        AsyncRank worker =
                                new AsyncRank(
                                        ranks.group(1), collective, GossipStepsCutTest::gossip);
                        Seen seen = Seen.of(worker);
                        Row row = new Row(aRoundBehind(rank, gate, 2 * COUNT - 1), 0);
                        worker.round(1, row, COUNTS);
                        if (rank != SLOW) {
                            assertThat(row.taken).isEqualTo(2 * COUNT);
                        }
                        seen.add(worker);
                        workers.set(rank, worker);
                        all.set(rank, seen);
                        Gate.passAndAwait(ended); // Who leaves ends what others are in.
                        return rank;
                    });
            ranks.playWithPosts(
                    2,
                    MEMORY_BYTES,
                    collective -> {
                        int rank = collective.rank();
                        AsyncRank worker = workers.get(rank);
                        worker.join(ranks.group(2), collective, 0);
                        worker.lastRound(2, new Row(i -> batch(rank, i), COUNT), COUNTS);
                        all.get(rank).add(worker);
                        return rank;
                    });
        } finally {
            workers.stream().filter(Objects::nonNull).forEach(AsyncRank::close);
        }
        assertEqualParameters(all);
        assertMoved(all.get(0), 1);
        assertMoved(all.get(0), 2);
    }

    /** Who is ahead in a round that will not be sound does not spoil the one before. */
    @Test
    void whatIsNotFiniteShouldMakeItsOwnRoundUnsound() throws Exception {
        List<Seen> all =
                play(
                        (worker, rank) -> {
                            Seen seen = Seen.of(worker);
                            IntFunction<Batch> spoiling =
                                    index -> {
                                        if (rank == SLOW && index == COUNT + 1) {
                                            spoil(worker.replica);
                                        }
                                        return batch(rank, index);
                                    };
                            Row row = new Row(spoiling, 0);
                            int blamed = worker.round(1, row, COUNTS).firstUnsoundRank();
                            assertThat(blamed).isNegative();
                            seen.add(worker);
                            blamed = worker.lastRound(2, row, COUNTS).firstUnsoundRank();
                            assertThat(blamed).isNotNegative();
                            seen.add(worker);
                            return seen;
                        });
        assertEqualParameters(all);
        assertMoved(all.get(0), 1);
        Seen seen = all.get(0);
        assertThat(seen.parameters().get(2)).containsExactly(seen.parameters().get(1));
    }

    private static void spoil(Replica replica) {
        replica.parameters().buffer().putDouble(0, Double.NaN);
    }

    private interface Role {
        Seen play(AsyncRank worker, int rank);
    }

    private static List<Seen> play(Role role) throws Exception {
        try (RanksOnThreads ranks = new RanksOnThreads(RANKS)) {
            return ranks.playWithPosts(
                    1,
                    MEMORY_BYTES,
                    collective -> {
                        try (AsyncRank worker =
                                new AsyncRank(
                                        ranks.group(1), collective, GossipStepsCutTest::gossip)) {
                            return role.play(worker, collective.rank());
                        }
                    });
        }
    }

    private static void assertEqualParameters(List<Seen> all) {
        for (Seen seen : all) {
            assertThat(seen.parameters()).hasSameSizeAs(all.get(0).parameters());
            for (int round = 0; round < seen.parameters().size(); round++) {
                assertThat(seen.parameters().get(round))
                        .containsExactly(all.get(0).parameters().get(round));
            }
        }
    }

    /** The common average moves by each batch's step of the round, over the workers, once. */
    private static void assertMoved(Seen seen, int round) {
        double[] moved = seen.moved(round);
        double[] expected = new double[moved.length];
        try (AsyncRank.Alone alone = new AsyncRank.Alone(SHORT_STEPS)) {
            for (int rank = 0; rank < RANKS; rank++) {
                for (int i = (round - 1) * COUNT; i < round * COUNT; i++) {
                    add(alone.replica, batch(rank, i), expected);
                }
            }
        }
        double largest = Arrays.stream(expected).map(Math::abs).max().orElseThrow();
        assertThat(largest).isPositive();
        assertThat(moved).containsExactly(expected, within(1e-3 * largest));
    }

    private static void add(Replica replica, Batch batch, double[] moved) {
        replica.zeroGradients();
        double weight = replica.forwardBackward(batch, 1, slot -> {}).weight();
        DoubleBuffer gradient = replica.gradients().buffer().asDoubleBuffer();
        for (int i = 0; i < moved.length; i++) {
            moved[i] += SHORT / RANKS * gradient.get(i) / weight;
        }
    }
}
