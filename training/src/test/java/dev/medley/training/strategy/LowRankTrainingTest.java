package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.StepTag;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.SpanHash;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StrategySpec.Kind;
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
import dev.medley.training.rounds.LocalSteps;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Training of three workers with unequal shares, one of them without samples, whose gradients
 * travel as factors.
 */
@Tag("unit")
class LowRankTrainingTest {
    private static final List<String> SITES = List.of("east", "east", "west");
    private static final List<Integer> SHARES = List.of(96, 32, 0);
    private static final OptimizerSpec ADAM =
            OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW).withLearningRate(0.01);
    private static final CodecSpec ONE_COLUMN = CodecSpec.DEFAULT.ofRank(1);
    private static final Settings PLAIN = new Settings(Kind.DATA_PARALLEL, ADAM, null, 1, 0, 200);
    private static final Settings FACTORED = PLAIN.with(ONE_COLUMN);

    /**
     * What is trained.
     *
     * @param codec null for gradients that travel as they are
     * @param discarded a step that is computed in vain once; 0 for none
     */
    private record Settings(
            Kind kind, OptimizerSpec rule, CodecSpec codec, long seed, int discarded, int steps) {
        Settings with(CodecSpec other) {
            return new Settings(kind, rule, other, seed, discarded, steps);
        }

        Settings by(OptimizerSpec other) {
            return new Settings(kind, other, codec, seed, discarded, steps);
        }

        Settings of(Kind other, int count) {
            return new Settings(other, rule, codec, seed, discarded, count);
        }

        Settings seeded(long other) {
            return new Settings(kind, rule, codec, other, discarded, steps);
        }

        Settings discarding(int step) {
            return new Settings(kind, rule, codec, seed, step, steps);
        }
    }

    /** How a worker ended: equal on all workers. */
    private record End(double loss, String hash) {}

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @Test
    void sgdShouldReachTheLossOfPlainGradients() throws Exception {
        OptimizerSpec sgd = OptimizerSpec.defaults(OptimizerSpec.Kind.SGD).withLearningRate(0.3);
        double plain = train(PLAIN.by(sgd).of(Kind.DATA_PARALLEL, 400)).loss();
        double factored = train(FACTORED.by(sgd).of(Kind.DATA_PARALLEL, 400)).loss();
        assertThat(plain).as("it learns").isLessThan(0.7 * before());
        assertThat(factored).isBetween(0.9 * plain, 1.1 * plain);
    }

    /** What comes late disturbs the moments: it takes more steps, but nothing is lost. */
    @Test
    void adamShouldReachTheLossOfPlainGradientsInTwiceTheSteps() throws Exception {
        OptimizerSpec adam = ADAM.withLearningRate(0.003);
        double plain = train(PLAIN.by(adam).of(Kind.DATA_PARALLEL, 200)).loss();
        double factored = train(FACTORED.by(adam).of(Kind.DATA_PARALLEL, 400)).loss();
        assertThat(plain).as("it learns").isLessThan(0.7 * before());
        assertThat(factored).isBetween(0.5 * plain, 1.2 * plain);
    }

    @Test
    void changesOfRoundsShouldLearnToo() throws Exception {
        double plain = train(PLAIN.of(Kind.LOCAL_SGD, 120)).loss();
        double factored = train(FACTORED.of(Kind.LOCAL_SGD, 120)).loss();
        assertThat(plain).as("it learns").isLessThan(0.7 * before());
        assertThat(factored).isBetween(0.5 * plain, 1.2 * plain);
    }

    /** With more momentum what comes rounds late is carried on: that is refused. */
    @Test
    void roundsWithALittleMomentumShouldLearnToo() throws Exception {
        double plain = train(PLAIN.of(Kind.DILOCO, 240)).loss();
        double factored = train(FACTORED.of(Kind.DILOCO, 240)).loss();
        assertThat(plain).as("it learns").isLessThan(0.7 * before());
        assertThat(factored).isBetween(0.5 * plain, 1.2 * plain);
    }

    @Test
    void theSameSeedShouldGiveTheSameBits() throws Exception {
        Settings few = FACTORED.of(Kind.DATA_PARALLEL, 10);
        String hash = train(few).hash();
        assertThat(train(few).hash()).isEqualTo(hash);
        assertThat(train(few.seeded(2)).hash()).isNotEqualTo(hash);
        try (RanksOnThreads oneHost = new RanksOnThreads(SITES.size())) {
            assertThat(ends(oneHost, few)).as("through shared memory").hasSize(SITES.size());
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

    /**
     * 24 + 25 numbers of factors and 24 of biases in the place of 272 with gaps; the tail stays.
     */
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
            assertThat(ratio).isCloseTo((272 * 4 + 120) / (73 * 4 + 120.0), within(0.02));
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
            Optimizer optimizer = replica.optimizer(settings.rule());
            strategy =
                    settings.kind() == Kind.DATA_PARALLEL
                            ? new EveryStep(new GradientRule(replica, optimizer, 0))
                            : new LocalSteps(replica, optimizer, round(settings.kind()), 0);
        }

        private static RoundSpec round(Kind kind) {
            RoundSpec usual = RoundSpec.defaults(kind);
            return kind == Kind.DILOCO ? usual.outer(usual.outerRate(), 0.3) : usual;
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
            buckets.conclude(loss, 0);
            assertThat(buckets.finish()).isNull();
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
