package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.StepTag;
import dev.medley.base.job.CodecSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.RoundSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.base.job.StrategySpec.Kind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.SpanHash;
import dev.medley.exchange.Collective;
import dev.medley.exchange.ExchangeTimes;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.bucket.LowRankSum;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Training of three workers with unequal shares, one of them without samples, whose gradients
 * travel as factors.
 */
@Tag("unit")
class LowRankTrainingTest {
    private static final List<String> SITES = List.of("east", "east", "west");
    private static final List<Integer> SHARES = List.of(96, 32, 0);
    private static final double RATE = 0.01;
    private static final CodecSpec ONE_COLUMN = CodecSpec.DEFAULT.ofRank(1);
    private static final Settings PLAIN = new Settings(Kind.DATA_PARALLEL, null, 1, 0, 200);
    private static final Settings FACTORED = PLAIN.with(ONE_COLUMN);

    /**
     * What is trained.
     *
     * @param codec null for gradients that travel as they are
     * @param discarded a step that is computed in vain once; 0 for none
     */
    private record Settings(Kind kind, CodecSpec codec, long seed, int discarded, int steps) {
        Settings with(CodecSpec other) {
            return new Settings(kind, other, seed, discarded, steps);
        }

        Settings of(Kind other, int count) {
            return new Settings(other, codec, seed, discarded, count);
        }

        Settings seeded(long other) {
            return new Settings(kind, codec, other, discarded, steps);
        }

        Settings discarding(int step) {
            return new Settings(kind, codec, seed, step, steps);
        }
    }

    /** How a worker ended: equal on all workers. */
    private record End(double loss, String hash) {}

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @Test
    void shouldReachTheLossOfPlainGradients() throws Exception {
        double plain = train(PLAIN).loss();
        double factored = train(FACTORED).loss();
        assertThat(plain).as("it learns").isLessThan(0.7 * before());
        assertThat(factored).isBetween(0.8 * plain, 1.15 * plain);
    }

    @ParameterizedTest
    @EnumSource(
            value = Kind.class,
            names = {"LOCAL_SGD", "DILOCO"})
    void changesOfRoundsShouldLearnToo(Kind kind) throws Exception {
        double plain = train(PLAIN.of(kind, 40)).loss();
        double factored = train(FACTORED.of(kind, 40)).loss();
        assertThat(plain).as("it learns").isLessThan(0.9 * before());
        assertThat(factored).isBetween(0.8 * plain, 1.15 * plain);
    }

    @Test
    void theSameSeedShouldGiveTheSameBitsOverEveryTransport() throws Exception {
        Settings few = FACTORED.of(Kind.DATA_PARALLEL, 10);
        String hash = train(few).hash();
        assertThat(train(few).hash()).isEqualTo(hash);
        assertThat(train(few.seeded(2)).hash()).isNotEqualTo(hash);
        try (RanksOnThreads oneHost = new RanksOnThreads(SITES.size())) {
            assertThat(ends(oneHost, few).get(0).loss()).isFinite();
        }
    }

    @Test
    void aDiscardedStepShouldLeaveNoTrace() throws Exception {
        Settings few = FACTORED.of(Kind.DATA_PARALLEL, 8);
        assertThat(train(few.discarding(5))).isEqualTo(train(few));
    }

    @Test
    void stepsBeforeCompressionShouldBeExact() throws Exception {
        Settings few = PLAIN.of(Kind.DATA_PARALLEL, 10);
        String plain = train(few).hash();
        assertThat(train(few.with(ONE_COLUMN.after(10))).hash()).isEqualTo(plain);
        assertThat(train(few.with(ONE_COLUMN.after(9))).hash()).isNotEqualTo(plain);
    }

    /** 52 + 59 of factors and 24 of biases in the place of 72, 84, 35 and 24 numbers and gaps. */
    @Test
    void bytesThatFactorsSpareShouldBeCounted() throws Exception {
        try (RanksOnThreads ranks = new RanksOnThreads(SITES, Compress.POWERSGD, ONE_COLUMN)) {
            List<ExchangeTimes> times =
                    ranks.play(
                            1,
                            1 << 16,
                            each -> {
                                try (Rank rank = new Rank(each, FACTORED)) {
                                    rank.step(1);
                                    return rank.buckets.times();
                                }
                            });
            ExchangeTimes east = times.get(0);
            double ratio = (double) east.plainBytesToOtherSites() / east.bytesToOtherSites();
            assertThat(east.bytesToOtherSites()).isPositive();
            assertThat(ratio).isBetween(1.3, 2.5);
        }
    }

    private static double before() {
        try (Replica replica = Samples.replica(TargetKind.CLASSES, 1, Precision.FP32)) {
            return loss(replica);
        }
    }

    private static End train(Settings settings) throws Exception {
        Compress codec = settings.codec() == null ? Compress.NONE : Compress.POWERSGD;
        try (RanksOnThreads ranks = new RanksOnThreads(SITES, codec, CodecSpec.DEFAULT)) {
            return ends(ranks, settings).get(0);
        }
    }

    private static List<End> ends(RanksOnThreads ranks, Settings settings) throws Exception {
        List<End> ends =
                ranks.play(
                        1,
                        1 << 16,
                        each -> {
                            try (Rank rank = new Rank(each, settings)) {
                                return rank.train();
                            }
                        });
        assertThat(ends).as("equal everywhere").containsOnly(ends.get(0));
        return ends;
    }

    /** Over all samples. */
    private static double loss(Replica replica) {
        Batch batch = Samples.of(TargetKind.CLASSES, 128, 1);
        Part part = new Part(1, 0, 0, List.of(1, 1, 1), 128, i -> 1);
        StepLoss loss = new Passes(replica).of(batch, part, 0, slot -> {});
        return loss.lossSum() / loss.weight();
    }

    /** One of the workers. */
    private static final class Rank implements AutoCloseable {
        private final Collective collective;
        private final Settings settings;
        private final Replica replica = Samples.replica(TargetKind.CLASSES, 1, Precision.FP32);
        private final LowRankSum lowRank;
        private final Buckets buckets;
        private final Strategy strategy;

        Rank(Collective collective, Settings settings) {
            this.collective = collective;
            this.settings = settings;
            int rank = settings.codec() == null ? 0 : settings.codec().rank();
            ExchangeLayout layout =
                    new ExchangeLayout(
                            replica.layout().type(),
                            replica.layout().gradientBytes(),
                            0,
                            collective.size(),
                            0,
                            rank == 0 ? 0 : LowRankSum.bytes(replica.layout(), rank));
            replica.bindGradients(collective.buffer().slice(0, layout.gradientBytes()));
            lowRank =
                    rank == 0
                            ? null
                            : new LowRankSum(
                                    collective, layout, replica.layout(), rank, settings.seed());
            long exact = rank == 0 ? 0 : settings.codec().exactSteps();
            buckets = new Buckets(replica, collective, layout, 512, exact, lowRank);
            OptimizerSpec adam =
                    OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW).withLearningRate(RATE);
            Optimizer optimizer = replica.optimizer(adam);
            strategy =
                    settings.kind() == Kind.DATA_PARALLEL
                            ? new EveryStep(replica, optimizer, 0)
                            : new LocalSteps(
                                    replica, optimizer, RoundSpec.defaults(settings.kind()), 0);
        }

        End train() {
            for (int step = 1; step <= settings.steps(); step++) {
                if (step == settings.discarded()) {
                    compute(step);
                    strategy.discarded();
                }
                step(step);
            }
            return new End(loss(replica), SpanHash.of(List.of(replica.parameters())));
        }

        void step(int step) {
            strategy.update(compute(step), buckets.tail()).run();
            buckets.applied();
        }

        private Part compute(int step) {
            buckets.begin(new StepTag(1, step, 1));
            int from = SHARES.subList(0, collective.rank()).stream().mapToInt(n -> n).sum();
            int share = SHARES.get(collective.rank());
            boolean isRound = strategy instanceof LocalSteps;
            List<Integer> batches = isRound ? List.of(6, 2, 1) : List.of(1, 1, 1);
            Part part = new Part(step, collective.rank(), from, batches, 128, i -> 1);
            Batch all = Samples.of(TargetKind.CLASSES, 128, 1);
            StepLoss loss = strategy.compute(part, new Same(all.rows(from, from + share)), buckets);
            assertThat(loss).isNotNull();
            assertThat(buckets.finish(loss.lossSum(), loss.weight(), 0)).isNull();
            return part;
        }

        @Override
        public void close() {
            if (lowRank != null) {
                lowRank.close();
            }
            strategy.close();
            replica.close();
        }
    }

    /** The same batch again and again. */
    private record Same(Batch batch) implements Feed {
        @Override
        public Batch next() {
            return batch;
        }

        @Override
        public boolean isWanted() {
            return true;
        }
    }
}
