package dev.medley.training.gossip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Group;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.Batch;
import dev.medley.exchange.post.Post;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.strategy.AsyncRank;
import dev.medley.training.strategy.Strategy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rounds of a gossip, of ranks on threads with a real exchange between them. */
@Tag("real")
class GossipStepsTest {
    private static final int MEMORY_BYTES = 1 << 16;
    private static final int STEPS = 16;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    private static Function<Replica, Strategy> gossip(OptimizerSpec rule) {
        return gossip(rule, 1);
    }

    private static Function<Replica, Strategy> gossip(OptimizerSpec rule, int mixEvery) {
        return replica ->
                new GossipSteps(
                        replica, replica.optimizer(rule), new GossipSteps.Settings(mixEvery, 7, 0));
    }

    @Test
    void oneMemberShouldTakeItsOwnSteps() throws Exception {
        OptimizerSpec rule = AsyncRank.optimizer(OptimizerSpec.Kind.ADAMW, 0.02);
        try (AsyncRank.Alone alone = new AsyncRank.Alone(rule);
                RanksOnThreads one = new RanksOnThreads(1)) {
            AsyncRank.batches(0, 3).forEach(batch -> alone.step(List.of(batch)));
            double[] expected = AsyncRank.doubles(alone.replica);
            double[] actual = play(one, rule, List.of(3), 1, AsyncRank::parameters).get(0);
            for (int i = 0; i < expected.length; i++) {
                assertThat(actual[i]).isCloseTo(expected[i], within(1e-12));
            }
        }
    }

    /** As with a parameter server: 5 % of the loss that there was before. */
    @ParameterizedTest
    @EnumSource(
            value = OptimizerSpec.Kind.class,
            names = {"SGD", "ADAMW"})
    void shouldLearnAboutWhatOneProcessLearns(OptimizerSpec.Kind kind) throws Exception {
        List<Integer> counts = List.of(8, 4, 4, 2);
        List<Batch> samples = AsyncRank.all(counts);
        OptimizerSpec rule = AsyncRank.optimizer(kind, 0.02);
        int rounds = 30;
        try (AsyncRank.Alone alone = new AsyncRank.Alone(rule);
                RanksOnThreads four = new RanksOnThreads(4)) {
            double before = AsyncRank.loss(alone.replica, samples);
            for (int i = 0; i < rounds * 4; i++) {
                alone.step(samples.subList(i % 4 * 4, i % 4 * 4 + 4));
            }
            double expected = AsyncRank.loss(alone.replica, samples);
            assertThat(expected).isLessThan(before / 2);
            List<String> hashes = new ArrayList<>();
            List<Double> losses =
                    play(
                            four,
                            rule,
                            counts,
                            rounds,
                            rank -> {
                                synchronized (hashes) {
                                    hashes.add(rank.hash());
                                }
                                return AsyncRank.loss(rank.replica, samples);
                            });
            assertThat(hashes).hasSize(4).containsOnly(hashes.get(0));
            assertThat(losses.get(0)).isLessThan(expected + 0.05 * before);
        }
    }

    /** Each learns of samples of its own: what it does not hear of the others, it does not know. */
    @Test
    void lettersShouldKeepWorkersTogetherWithinARound() throws Exception {
        List<Late> mixing = late(1);
        List<Late> alone = late(STEPS + 1);
        assertThat(distance(mixing)).isPositive().isLessThan(distance(alone) / 2);
        long body = (long) mixing.get(0).parameters().length * Double.BYTES;
        assertThat(mixing).allMatch(each -> each.received() >= body, "has had a letter");
        assertThat(alone).allMatch(each -> each.received() < body, "has had no letter");
    }

    /**
     * A worker late in a round.
     *
     * @param parameters before the last step
     * @param received bytes of letters from others
     */
    private record Late(double[] parameters, long received) {}

    /** Four workers in lockstep; letters of a step come in the next or soon after. */
    private static List<Late> late(int mixEvery) throws Exception {
        OptimizerSpec rule = AsyncRank.optimizer(OptimizerSpec.Kind.SGD, 0.02);
        List<Integer> counts = Collections.nCopies(4, STEPS);
        CyclicBarrier together = new CyclicBarrier(counts.size());
        try (RanksOnThreads ranks = new RanksOnThreads(counts.size())) {
            Group group = ranks.group(1);
            return ranks.playWithPosts(
                    1,
                    MEMORY_BYTES,
                    collective -> {
                        try (AsyncRank worker =
                                new AsyncRank(group, collective, gossip(rule, mixEvery))) {
                            double[][] last = new double[1][];
                            worker.atBatch =
                                    index -> {
                                        waitFor(together);
                                        last[0] = worker.parameters();
                                    };
                            Batch own = AsyncRank.batch(collective.rank(), 0);
                            worker.round(1, Collections.nCopies(STEPS, own), STEPS, counts);
                            Post post = Objects.requireNonNull(collective.post());
                            long[] bytes = {0};
                            post.takeTraffic((peer, sent, spared, came) -> bytes[0] += came);
                            return new Late(last[0], bytes[0]);
                        }
                    });
        }
    }

    private static void waitFor(CyclicBarrier together) {
        try {
            together.await(120, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The largest between any two. */
    private static double distance(List<Late> all) {
        double largest = 0;
        for (Late one : all) {
            for (Late other : all) {
                double squares = 0;
                for (int i = 0; i < one.parameters().length; i++) {
                    double apart = one.parameters()[i] - other.parameters()[i];
                    squares += apart * apart;
                }
                largest = Math.max(largest, Math.sqrt(squares));
            }
        }
        return largest;
    }

    private static <T> List<T> play(
            RanksOnThreads ranks,
            OptimizerSpec rule,
            List<Integer> counts,
            int rounds,
            Function<AsyncRank, T> result)
            throws Exception {
        Group group = ranks.group(1);
        return ranks.playWithPosts(
                1,
                MEMORY_BYTES,
                collective -> {
                    try (AsyncRank worker = new AsyncRank(group, collective, gossip(rule))) {
                        int rank = collective.rank();
                        List<Batch> own = AsyncRank.batches(rank, counts.get(rank));
                        for (int step = 1; step <= rounds; step++) {
                            worker.round(step, own, 4, counts);
                        }
                        return result.apply(worker);
                    }
                });
    }
}
