package dev.medley.training.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Group;
import dev.medley.base.Plan;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.Batch;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.AsyncSpec.Servers;
import dev.medley.base.strategy.AsyncSpec.Sync;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Transport;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rounds with servers at each of several sites, of ranks on threads with a real exchange. */
@Tag("real")
class SiteServersTest {
    private static final int MEMORY_BYTES = 1 << 16;
    private static final int HEAD_BYTES = 64;
    private static final OptimizerSpec ADAMW = AsyncRank.optimizer(OptimizerSpec.Kind.ADAMW, 0.02);
    private static final List<String> EAST_AND_WEST = List.of("east", "west", "east");

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    private static Stream<AsyncSpec> rules() {
        return Stream.of(
                        AsyncSpec.of(Sync.BULK),
                        AsyncSpec.stale(0),
                        AsyncSpec.stale(2),
                        AsyncSpec.of(Sync.ASYNC))
                .map(rule -> rule.with(Servers.PER_SITE));
    }

    /** A group at some sites that takes the same rounds again and again. */
    private record Play(
            List<String> sites,
            AsyncSpec rule,
            Compress codec,
            List<Double> weights,
            List<Integer> counts,
            int clocks) {
        static Play of(AsyncSpec rule, List<Integer> counts, int clocks) {
            return new Play(EAST_AND_WEST, rule, Compress.NONE, List.of(), counts, clocks);
        }

        Play at(String... others) {
            return new Play(List.of(others), rule, codec, weights, counts, clocks);
        }

        Play weighing(Double... parts) {
            return new Play(sites, rule, codec, List.of(parts), counts, clocks);
        }

        Play coded(Compress by) {
            return new Play(sites, rule, by, weights, counts, clocks);
        }

        Strategy strategy(Replica replica) {
            int batch = counts.stream().mapToInt(c -> c * AsyncRank.SAMPLES).sum() / clocks;
            ServerSteps servers =
                    new ServerSteps(
                            replica,
                            new ServerSteps.Settings(
                                    ADAMW, rule, batch, 0, 3, codec, CodecSpec.DEFAULT));
            Plan plan = new Plan(1, Collections.nCopies(counts.size(), 1), 1, "");
            servers.planned(plan.serving(weights, ""));
            return servers;
        }

        <T> List<T> take(int rounds, Function<Rank, T> result) throws Exception {
            try (RanksOnThreads ranks = new RanksOnThreads(sites, Transport.TCP)) {
                Group group = ranks.group(1);
                return ranks.playWithPosts(
                        1,
                        MEMORY_BYTES,
                        collective -> {
                            try (AsyncRank worker =
                                    new AsyncRank(group, collective, this::strategy)) {
                                int rank = collective.rank();
                                Post post = Objects.requireNonNull(collective.post());
                                List<Batch> own = AsyncRank.batches(rank, counts.get(rank));
                                for (int step = 1; step <= rounds; step++) {
                                    worker.round(step, own, clocks, counts);
                                }
                                return result.apply(new Rank(worker, rank, post));
                            }
                        });
            }
        }
    }

    /** A rank after its rounds. */
    private record Rank(AsyncRank worker, int rank, Post post) {}

    /** Bytes of letters that each rank sent to other sites, and those that codecs spared it. */
    private static List<long[]> across(Play play, int rounds) throws Exception {
        return play.take(
                rounds,
                rank -> {
                    long[] bytes = {0, 0};
                    String here = play.sites().get(rank.rank());
                    rank.post()
                            .takeTraffic(
                                    (peer, sent, spared, received) -> {
                                        if (!play.sites().get(peer).equals(here)) {
                                            bytes[0] += sent;
                                            bytes[1] += spared;
                                        }
                                    });
                    return bytes;
                });
    }

    private static long sum(List<long[]> all, int which) {
        return all.stream().mapToLong(each -> each[which]).sum();
    }

    @ParameterizedTest
    @CsvSource({"1, 1, 1", "3, 1, 0", "0.5, 2, 1"})
    void inBulkItShouldBeDataParallelism(double one, double two, double three) throws Exception {
        AsyncSpec bulk = AsyncSpec.of(Sync.BULK);
        try (AsyncRank.Alone alone = new AsyncRank.Alone(ADAMW)) {
            for (int i = 0; i < 8; i++) {
                int at = i % 4;
                alone.step(Stream.of(0, 1, 2).map(rank -> AsyncRank.batch(rank, at)).toList());
            }
            double[] expected = AsyncRank.doubles(alone.replica);
            for (Servers servers : Servers.values()) {
                Play play = Play.of(bulk.with(servers), List.of(4, 4, 4), 4);
                List<double[]> all =
                        play.weighing(one, two, three).take(2, rank -> rank.worker().parameters());
                for (double[] parameters : all) {
                    for (int i = 0; i < expected.length; i++) {
                        assertThat(parameters[i]).isCloseTo(expected[i], within(1e-12));
                    }
                }
            }
        }
    }

    /** Workers with few batches are answered by what their own clocks left, whoever is early. */
    @ParameterizedTest
    @EnumSource(Servers.class)
    void inBulkUnlikeNumbersOfBatchesShouldRepeatBitForBit(Servers servers) throws Exception {
        AsyncSpec bulk = AsyncSpec.of(Sync.BULK).with(servers);
        List<String> hashes = new ArrayList<>();
        for (int run = 0; run < 3; run++) {
            Play play = Play.of(bulk, List.of(6, 4, 5), 10).coded(Compress.INT8);
            hashes.addAll(play.take(2, rank -> rank.worker().hash()));
        }
        assertThat(hashes).hasSize(9).containsOnly(hashes.get(0));
    }

    /** The same bound as where all push to all servers: see ServerStepsTest. */
    @ParameterizedTest
    @MethodSource("rules")
    void shouldLearnAboutWhatOneProcessLearns(AsyncSpec rule) throws Exception {
        learn(Play.of(rule, List.of(5, 2, 1), 4));
    }

    @ParameterizedTest
    @EnumSource(names = {"INT8", "TOPK"})
    void shouldLearnThroughACodec(Compress codec) throws Exception {
        AsyncSpec rule = AsyncSpec.of(Sync.BULK).with(Servers.PER_SITE);
        learn(Play.of(rule, List.of(5, 2, 1), 4).coded(codec));
    }

    private static void learn(Play play) throws Exception {
        List<Batch> samples = AsyncRank.all(play.counts());
        int rounds = 30;
        try (AsyncRank.Alone alone = new AsyncRank.Alone(ADAMW)) {
            double before = AsyncRank.loss(alone.replica, samples);
            for (int i = 0; i < rounds * 4; i++) {
                alone.step(samples.subList(i % 4 * 2, i % 4 * 2 + 2));
            }
            double expected = AsyncRank.loss(alone.replica, samples);
            assertThat(expected).isLessThan(before / 2);
            List<String> hashes = Collections.synchronizedList(new ArrayList<>());
            List<Double> losses =
                    play.take(
                            rounds,
                            rank -> {
                                hashes.add(rank.worker().hash());
                                return AsyncRank.loss(rank.worker().replica, samples);
                            });
            assertThat(hashes).hasSize(3).containsOnly(hashes.get(0));
            assertThat(losses.get(0)).isLessThan(expected + 0.05 * before);
        }
    }

    /** Whatever the sites and the batches, nobody waits for ever. */
    @ParameterizedTest
    @MethodSource("rules")
    void allRoundsShouldEnd(AsyncSpec rule) throws Exception {
        List<String> hashes = new ArrayList<>();
        for (int clocks : List.of(1, 7)) {
            Play play = Play.of(rule, List.of(1, 9, 2, 4), clocks).at("a", "b", "c", "b");
            hashes.addAll(play.weighing(1.0, 0.0, 2.0, 1.0).take(3, rank -> rank.worker().hash()));
        }
        assertThat(hashes).hasSize(8);
        assertThat(hashes.stream().distinct()).hasSize(2);
    }

    /**
     * In each clock a gradient crosses one way and parameters the other, however many workers there
     * are; where all push to all servers it is as much for every worker.
     */
    @ParameterizedTest
    @EnumSource(Sync.class)
    void whatCrossesBordersShouldNotGrowWithTheWorkersOfASite(Sync sync) throws Exception {
        AsyncSpec rule = AsyncSpec.of(sync);
        AsyncSpec perSite = rule.with(Servers.PER_SITE);
        Play two = Play.of(perSite, List.of(8, 8), 8).at("a", "b");
        Play four = Play.of(perSite, List.of(8, 8, 8, 8), 8).at("a", "b", "a", "b");
        Play together = Play.of(rule, List.of(8, 8, 8, 8), 8).at("a", "b", "a", "b");
        long parameters = two.take(1, rank -> rank.worker().replica.parameters().bytes()).get(0);
        long heads = 2 * 8 * HEAD_BYTES;
        long most = 8 * 2 * parameters;
        long ofTwo = sum(across(two, 1), 0);
        long ofFour = sum(across(four, 1), 0);
        assertThat(ofTwo).isLessThanOrEqualTo(most + 2 * heads);
        assertThat(ofFour).isLessThanOrEqualTo(most + 4 * heads);
        if (sync == Sync.BULK) {
            assertThat(ofFour).as("but for the last answer").isGreaterThan(most - parameters);
        }
        assertThat(sum(across(together, 1), 0)).isGreaterThan(2 * (most - 2 * parameters));
    }

    @Test
    void aCodecShouldShortenWhatIsForwardedAndNothingElse() throws Exception {
        AsyncSpec rule = AsyncSpec.of(Sync.BULK).with(Servers.PER_SITE);
        Play plain = Play.of(rule, List.of(8, 8, 8), 8);
        long exact = sum(across(plain, 1), 0);
        List<long[]> coded = across(plain.coded(Compress.BF16), 1);
        long spared = sum(coded, 1);
        assertThat(sum(coded, 0) + spared).isCloseTo(exact, within(4L * HEAD_BYTES));
        long parameters = plain.take(1, rank -> rank.worker().replica.parameters().bytes()).get(0);
        assertThat(spared).as("of float64 a bf16 spares three quarters").isEqualTo(6 * parameters);
    }

    /** Rank 1 at its own site does not end its first batch before rank 0 has begun as many. */
    @ParameterizedTest
    @CsvSource({"STALE, 2, 3", "ASYNC, 0, 8"})
    void aWorkerShouldGoAheadOfOtherSitesAsFarAsTheRuleAllows(Sync sync, int staleness, int ahead)
            throws Exception {
        AsyncSpec rule = new AsyncSpec(sync, staleness, 1, Servers.PER_SITE);
        Play play = Play.of(rule, List.of(8, 8), 8).at("a", "b");
        CountDownLatch begun = new CountDownLatch(ahead);
        CountDownLatch waits = new CountDownLatch(1);
        try (RanksOnThreads two = new RanksOnThreads(play.sites(), Transport.TCP)) {
            Group group = two.group(1);
            two.playWithPosts(
                    1,
                    MEMORY_BYTES,
                    each -> {
                        try (AsyncRank worker = new AsyncRank(group, each, play::strategy)) {
                            worker.atBatch =
                                    each.rank() == 1
                                            ? index -> waitsFor(begun, waits)
                                            : index -> {
                                                begun.countDown();
                                                boolean isFree = waits.getCount() == 0;
                                                assertThat(index < ahead || isFree).isTrue();
                                            };
                            List<Batch> own = AsyncRank.batches(each.rank(), 8);
                            worker.round(1, own, 8, List.of(8, 8));
                            return true;
                        }
                    });
        }
    }

    private static void waitsFor(CountDownLatch begun, CountDownLatch waits) {
        try {
            assertThat(begun.await(120, TimeUnit.SECONDS)).as("the other goes ahead").isTrue();
            waits.countDown();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void aLossThatIsNoNumberShouldHoldUpNobodyAndBeNamed(AsyncSpec rule) throws Exception {
        Play play = Play.of(rule, List.of(4, 4, 4), 4);
        try (RanksOnThreads ranks = new RanksOnThreads(play.sites(), Transport.TCP)) {
            Group group = ranks.group(1);
            List<Integer> unsound =
                    ranks.playWithPosts(
                            1,
                            MEMORY_BYTES,
                            each -> {
                                try (AsyncRank worker =
                                        new AsyncRank(group, each, play::strategy)) {
                                    List<Batch> own =
                                            IntStream.range(0, 4)
                                                    .mapToObj(i -> batch(each.rank(), i))
                                                    .toList();
                                    return worker.round(1, own, 4, play.counts())
                                            .firstUnsoundRank();
                                }
                            });
            assertThat(unsound).containsOnly(2);
        }
    }

    /** The second of rank 2 has a feature that is no number. */
    private static Batch batch(int rank, int index) {
        Batch batch = AsyncRank.batch(rank, index);
        if (rank == 2 && index == 1) {
            batch.inputs().get(0).data().buffer().putFloat(0, Float.NaN);
        }
        return batch;
    }

    @Test
    void whereAllStandAtOneSiteServersPerSiteShouldDoWhatAllDoBitForBit() throws Exception {
        AsyncSpec bulk = AsyncSpec.of(Sync.BULK);
        List<String> hashes = new ArrayList<>();
        for (Servers servers : Servers.values()) {
            Play play = Play.of(bulk.with(servers), List.of(5, 2, 1), 4).at("a", "a", "a");
            hashes.addAll(play.take(2, rank -> rank.worker().hash()));
        }
        assertThat(hashes).hasSize(6).containsOnly(hashes.get(0));
    }
}
