package dev.medley.training.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Group;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.exchange.Collective;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Tail;
import dev.medley.training.strategy.AsyncRank;
import dev.medley.training.strategy.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rounds with servers, of ranks on threads with a real exchange between them. */
@Tag("real")
class ServerStepsTest {
    private static final int MEMORY_BYTES = 1 << 16;
    private static final OptimizerSpec ADAMW = AsyncRank.optimizer(OptimizerSpec.Kind.ADAMW, 0.02);

    private static Stream<AsyncSpec> rules() {
        return Stream.of(
                AsyncSpec.of(Sync.BULK),
                AsyncSpec.stale(0),
                AsyncSpec.stale(2),
                AsyncSpec.of(Sync.ASYNC));
    }

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    private static Function<Replica, Strategy> servers(AsyncSpec rule, int batch) {
        return servers(ADAMW, rule, batch);
    }

    private static Function<Replica, Strategy> servers(
            OptimizerSpec optimizer, AsyncSpec rule, int batch) {
        return replica ->
                new ServerSteps(replica, new ServerSteps.Settings(optimizer, rule, batch, 0, 3));
    }

    @Test
    void inBulkItShouldBeDataParallelism() throws Exception {
        List<Integer> counts = List.of(4, 4, 4);
        try (AsyncRank.Alone alone = new AsyncRank.Alone(ADAMW);
                RanksOnThreads three = new RanksOnThreads(3)) {
            for (int i = 0; i < 8; i++) {
                int at = i % 4;
                alone.step(Stream.of(0, 1, 2).map(rank -> AsyncRank.batch(rank, at)).toList());
            }
            double[] expected = AsyncRank.doubles(alone.replica);
            List<double[]> all =
                    play(three, AsyncSpec.of(Sync.BULK), counts, 4, 2, AsyncRank::parameters);
            for (double[] parameters : all) {
                for (int i = 0; i < expected.length; i++) {
                    assertThat(parameters[i]).isCloseTo(expected[i], within(1e-12));
                }
            }
        }
    }

    /**
     * One worker and plain SGD: each push is applied when it comes, and moves by its part of a
     * batch; in clocks each by a whole step.
     */
    @ParameterizedTest
    @MethodSource("rules")
    void oneWorkersPushesShouldMoveByTheirPartOfABatch(AsyncSpec rule) throws Exception {
        OptimizerSpec sgd = AsyncRank.optimizer(OptimizerSpec.Kind.SGD, 0.05);
        int batch = 4 * AsyncRank.SAMPLES;
        List<Batch> pushes =
                List.of(
                        AsyncRank.batch(0, 0),
                        AsyncRank.batch(0, 1).rows(0, 3),
                        AsyncRank.batch(0, 2).rows(0, 1),
                        AsyncRank.batch(0, 3));
        try (Replica alone = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
                Optimizer optimizer = alone.optimizer(sgd);
                RanksOnThreads one = new RanksOnThreads(1)) {
            for (int step = 1; step <= 2; step++) {
                for (Batch push : pushes) {
                    alone.zeroGradients();
                    StepLoss loss = alone.forwardBackward(push, step, ReadyListener.NONE);
                    boolean isClock = rule.sync() == Sync.BULK;
                    double rate = isClock ? 1 : (double) push.samples() / batch;
                    optimizer.apply(rate, loss.weight(), 1);
                }
            }
            double[] expected = AsyncRank.doubles(alone);
            Group group = one.group(1);
            double[] actual =
                    one.playWithPosts(
                                    1,
                                    MEMORY_BYTES,
                                    collective -> {
                                        try (AsyncRank worker =
                                                new AsyncRank(
                                                        group,
                                                        collective,
                                                        servers(sgd, rule, batch))) {
                                            worker.round(1, pushes, 4, List.of(4));
                                            worker.round(2, pushes, 4, List.of(4));
                                            return worker.parameters();
                                        }
                                    })
                            .get(0);
            for (int i = 0; i < expected.length; i++) {
                assertThat(actual[i]).isCloseTo(expected[i], within(1e-12));
            }
        }
    }

    @Test
    void inBulkUnlikeNumbersOfBatchesShouldRepeatBitForBit() throws Exception {
        List<Integer> counts = List.of(6, 4, 1);
        List<String> hashes = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            try (RanksOnThreads three = new RanksOnThreads(3)) {
                hashes.addAll(play(three, AsyncSpec.of(Sync.BULK), counts, 4, 2, AsyncRank::hash));
            }
        }
        assertThat(hashes).hasSize(6).containsOnly(hashes.get(0));
    }

    /**
     * Stale gradients and a sum in another order cost something, and not much: 5 % of the loss that
     * one process has after as many samples, of which it has lost far more than half.
     */
    @ParameterizedTest
    @MethodSource("rules")
    void shouldLearnAboutWhatOneProcessLearns(AsyncSpec rule) throws Exception {
        List<Integer> counts = List.of(5, 2, 1);
        List<Batch> samples = AsyncRank.all(counts);
        int rounds = 30;
        try (AsyncRank.Alone alone = new AsyncRank.Alone(ADAMW);
                RanksOnThreads three = new RanksOnThreads(3)) {
            double before = AsyncRank.loss(alone.replica, samples);
            for (int i = 0; i < rounds * 4; i++) {
                alone.step(samples.subList(i % 4 * 2, i % 4 * 2 + 2));
            }
            double expected = AsyncRank.loss(alone.replica, samples);
            assertThat(expected).isLessThan(before / 2);
            List<String> hashes = new ArrayList<>();
            List<Double> losses =
                    play(
                            three,
                            rule,
                            counts,
                            4,
                            rounds,
                            rank -> {
                                synchronized (hashes) {
                                    hashes.add(rank.hash());
                                }
                                return AsyncRank.loss(rank.replica, samples);
                            });
            assertThat(hashes).hasSize(3).containsOnly(hashes.get(0));
            assertThat(losses.get(0)).isLessThan(expected + 0.05 * before);
        }
    }

    /** Rank 1 does not end its first batch before rank 0 has begun as many as the rule allows. */
    @ParameterizedTest
    @CsvSource({"STALE, 2, 3", "ASYNC, 0, 8"})
    void aWorkerShouldGoAheadAsFarAsTheRuleAllows(Sync sync, int staleness, int ahead)
            throws Exception {
        AsyncSpec rule = new AsyncSpec(sync, staleness, 1);
        CountDownLatch begun = new CountDownLatch(ahead);
        AtomicInteger behind = new AtomicInteger();
        try (RanksOnThreads two = new RanksOnThreads(2)) {
            Group group = two.group(1);
            two.playWithPosts(
                    1,
                    MEMORY_BYTES,
                    collective -> {
                        try (AsyncRank worker =
                                new AsyncRank(group, collective, servers(rule, 16))) {
                            worker.atBatch =
                                    collective.rank() == 1
                                            ? index -> awaitAhead(begun, behind)
                                            : index -> {
                                                begun.countDown();
                                                if (sync == Sync.STALE) {
                                                    assertThat(index - behind.get())
                                                            .isLessThanOrEqualTo(staleness);
                                                }
                                            };
                            List<Batch> own = AsyncRank.batches(collective.rank(), 8);
                            worker.round(1, own, 8, List.of(8, 8));
                            return true;
                        }
                    });
        }
    }

    /** Counts a batch as begun, and ends it only when the other has come far enough. */
    private static void awaitAhead(CountDownLatch begun, AtomicInteger behind) {
        try {
            assertThat(begun.await(120, TimeUnit.SECONDS)).as("the other goes ahead").isTrue();
            behind.incrementAndGet();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aDiscardedRoundShouldLeaveNothing() throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            Group group = one.group(1);
            one.playWithPosts(1, MEMORY_BYTES, collective -> discards(group, collective));
        }
    }

    private static boolean discards(Group group, Collective collective) {
        try (AsyncRank worker = new AsyncRank(group, collective, servers(AsyncSpec.stale(1), 8))) {
            worker.round(1, AsyncRank.batches(0, 3), 3, List.of(3));
            String before = worker.hash();
            worker.wantedBatches = 2;
            assertThat(worker.compute(2, AsyncRank.batches(0, 3), 3, List.of(3))).isNull();
            assertThat(worker.hash()).isNotEqualTo(before);
            worker.strategy.discarded();
            assertThat(worker.hash()).isEqualTo(before);
            return true;
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void aLossThatIsNoNumberShouldHoldUpNobodyAndBeNamed(AsyncSpec rule) throws Exception {
        try (RanksOnThreads two = new RanksOnThreads(2)) {
            Group group = two.group(1);
            List<Integer> unsound =
                    two.playWithPosts(
                            1,
                            MEMORY_BYTES,
                            collective -> {
                                try (AsyncRank worker =
                                        new AsyncRank(group, collective, servers(rule, 16))) {
                                    List<Batch> own = AsyncRank.batches(collective.rank(), 4);
                                    if (collective.rank() == 1) {
                                        own =
                                                List.of(
                                                        own.get(0),
                                                        poisoned(),
                                                        own.get(2),
                                                        own.get(3));
                                    }
                                    Tail tail = worker.round(1, own, 4, List.of(4, 4));
                                    return tail.firstUnsoundRank();
                                }
                            });
            assertThat(unsound).containsOnly(1);
        }
    }

    private static Batch poisoned() {
        Batch batch = Samples.of(TargetKind.VALUE, AsyncRank.SAMPLES, 9);
        batch.inputs().get(0).data().buffer().putFloat(0, Float.NaN);
        return batch;
    }

    private static <T> List<T> play(
            RanksOnThreads ranks,
            AsyncSpec rule,
            List<Integer> counts,
            int clocks,
            int rounds,
            Function<AsyncRank, T> result)
            throws Exception {
        Group group = ranks.group(1);
        int batch = counts.stream().mapToInt(c -> c * AsyncRank.SAMPLES).sum() / clocks;
        return ranks.playWithPosts(
                1,
                MEMORY_BYTES,
                collective -> {
                    try (AsyncRank worker =
                            new AsyncRank(group, collective, servers(rule, batch))) {
                        int rank = collective.rank();
                        List<Batch> own = AsyncRank.batches(rank, counts.get(rank));
                        for (int step = 1; step <= rounds; step++) {
                            worker.round(step, own, clocks, counts);
                        }
                        return result.apply(worker);
                    }
                });
    }
}
