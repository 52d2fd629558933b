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
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.Samples;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.rounds.LocalSteps;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Training of three workers at two sites with codecs that leave much out, or change, against one
 * process that trains on the same samples.
 */
@Tag("unit")
class SparseTrainingTest {
    private static final List<String> SITES = List.of("east", "east", "west");
    private static final List<Integer> SHARES = List.of(56, 40, 32);
    private static final int BATCH = 128;
    private static final OptimizerSpec SGD =
            new OptimizerSpec(OptimizerSpec.Kind.SGD, 0.05, 0.9, false, 0.9, 0.999, 1e-8, 0);
    private static final int WARM = 40;
    private static final OptimizerSpec ADAM =
            OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW).withLearningRate(0.01);

    /**
     * So many steps through one codec.
     *
     * @param codec between sites
     * @param how far it goes
     */
    private record Stretch(int steps, Compress codec, CodecSpec how) {
        static Stretch plain(int steps) {
            return new Stretch(steps, Compress.NONE, CodecSpec.DEFAULT);
        }
    }

    /** How a worker is made. */
    private interface Making {
        Strategy of(Replica replica);
    }

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @Test
    void momentumBeforeAnExactSumShouldBeMomentumAfterIt() throws Exception {
        for (OptimizerSpec rule : List.of(SGD, nesterov())) {
            double one = alone(60, replica -> plain(replica, rule));
            double three = train(List.of(Stretch.plain(60)), replica -> corrected(replica, rule));
            assertThat(three).isCloseTo(one, within(1e-4 * one));
        }
    }

    /** A tenth of the elements: with momentum before topk it learns what one process learns. */
    @Test
    void correctedMomentumShouldLearnWhatOneProcessLearns() throws Exception {
        CodecSpec tenth = CodecSpec.DEFAULT.keeping(0.1).warmingUp(80);
        double one = alone(400, replica -> plain(replica, SGD));
        double corrected = train(sparse(400, tenth), replica -> corrected(replica, SGD));
        assertThat(one).as("it learns").isLessThan(0.5 * before());
        assertThat(corrected).isLessThan(1.25 * one);
    }

    /** Four bits, eight, then as they are, each time in another group of the same members. */
    @Test
    void codecsThatChangeInMidRunShouldLearnWhatOneProcessLearns() throws Exception {
        List<Stretch> finer =
                List.of(
                        new Stretch(60, Compress.INT4, CodecSpec.DEFAULT),
                        new Stretch(60, Compress.INT8, CodecSpec.DEFAULT),
                        new Stretch(40, Compress.BF16, CodecSpec.DEFAULT),
                        Stretch.plain(40));
        double one = alone(200, replica -> plain(replica, SGD));
        double three = train(finer, replica -> plain(replica, SGD));
        assertThat(three).isBetween(0.95 * one, 1.05 * one);
    }

    /** A quarter of the elements; what is kept of the rest is found anew in the next round. */
    @Test
    void sparseChangesOfRoundsShouldLearnWhereWhatIsLeftOutDecays() throws Exception {
        CodecSpec quarter = CodecSpec.DEFAULT.keeping(0.25);
        double plain = train(List.of(Stretch.plain(120)), SparseTrainingTest::rounds);
        double all = train(sparse(120, quarter), SparseTrainingTest::rounds);
        double part = train(sparse(120, quarter.decaying(0.7)), SparseTrainingTest::rounds);
        assertThat(plain).as("it learns").isLessThan(0.1 * before());
        assertThat(part).isLessThan(2 * plain);
        assertThat(all).as("all that is left out, again and again").isGreaterThan(2 * part);
    }

    /** Exact steps teach the variance; then a bit an element is enough for the momentum. */
    @Test
    void signsOfMomentumShouldLearnWhatOneProcessLearns() throws Exception {
        List<Stretch> oneBit =
                List.of(new Stretch(240, Compress.ONEBIT, CodecSpec.DEFAULT.after(WARM)));
        double one = alone(240, replica -> plain(replica, ADAM));
        double momentum = train(oneBit, SparseTrainingTest::oneBit);
        double gradients = train(oneBit, replica -> plain(replica, ADAM));
        assertThat(one).as("it learns").isLessThan(0.3 * before());
        assertThat(momentum).isLessThan(1.25 * one);
        assertThat(gradients).as("signs of gradients, squared by Adam").isGreaterThan(momentum);
    }

    @Test
    void withoutCodecTheFrozenVarianceShouldLearnAlike() throws Exception {
        double one = alone(240, SparseTrainingTest::oneBit);
        double three = train(List.of(Stretch.plain(240)), SparseTrainingTest::oneBit);
        assertThat(three).isCloseTo(one, within(0.02 * one));
    }

    private static List<Stretch> sparse(int steps, CodecSpec how) {
        return List.of(new Stretch(steps, Compress.TOPK, how));
    }

    private static OptimizerSpec nesterov() {
        return new OptimizerSpec(OptimizerSpec.Kind.SGD, 0.05, 0.9, true, 0.9, 0.999, 1e-8, 0);
    }

    private static Strategy plain(Replica replica, OptimizerSpec rule) {
        return new EveryStep(new GradientRule(replica, replica.optimizer(rule), 0));
    }

    private static Strategy corrected(Replica replica, OptimizerSpec rule) {
        return new EveryStep(
                GradientRule.sending(
                        replica,
                        replica.optimizer(rule.withoutMomentum()),
                        new LocalMomentum(replica, rule)));
    }

    private static Strategy oneBit(Replica replica) {
        Optimizer adam = replica.optimizer(ADAM);
        return new EveryStep(
                GradientRule.sending(replica, adam, new OneBitAdam(replica, adam, ADAM, WARM)));
    }

    private static Strategy rounds(Replica replica) {
        RoundSpec round = RoundSpec.defaults(Kind.DILOCO);
        return new LocalSteps(replica, replica.optimizer(ADAM), round, 0);
    }

    private static double before() {
        try (Replica replica = Samples.replica(TargetKind.CLASSES, 1, Precision.FP32)) {
            return loss(replica);
        }
    }

    /** The loss after one process has taken so many steps. */
    private static double alone(int steps, Making making) throws Exception {
        try (RanksOnThreads one = new RanksOnThreads(1)) {
            return train(one, List.of(BATCH), List.of(Stretch.plain(steps)), making);
        }
    }

    /** The loss of the parameters that all three workers have in common. */
    private static double train(List<Stretch> stretches, Making making) throws Exception {
        Stretch first = stretches.get(0);
        try (RanksOnThreads three = new RanksOnThreads(SITES, first.codec(), first.how())) {
            return train(three, SHARES, stretches, making);
        }
    }

    private static double train(
            RanksOnThreads ranks, List<Integer> shares, List<Stretch> stretches, Making making)
            throws Exception {
        List<Rank> workers = new ArrayList<>();
        for (int rank = 0; rank < shares.size(); rank++) {
            workers.add(new Rank(rank, shares, making));
        }
        int done = 0;
        for (int epoch = 1; epoch <= stretches.size(); epoch++) {
            Stretch stretch = stretches.get(epoch - 1);
            if (epoch > 1) {
                ranks.goOnWith(stretch.codec(), stretch.how());
            }
            int from = done;
            ranks.play(epoch, 1 << 16, each -> workers.get(each.rank()).train(each, from, stretch));
            done += stretch.steps();
        }
        List<String> hashes = workers.stream().map(Rank::hash).toList();
        assertThat(hashes).as("equal everywhere").containsOnly(hashes.get(0));
        double loss = loss(workers.get(0).replica);
        workers.forEach(Rank::close);
        return loss;
    }

    /** Over all samples. */
    private static double loss(Replica replica) {
        Part part = new Part(1, 0, 0, List.of(1), BATCH, i -> 1);
        Batch batch = Samples.of(TargetKind.CLASSES, BATCH, 1);
        StepLoss loss = new Passes(replica).of(batch, part, 0, slot -> {});
        return loss.lossSum() / loss.weight();
    }

    /** One of the workers, through all groups. */
    private static final class Rank implements AutoCloseable {
        private static final int INNER_STEPS = 5;

        private final Replica replica = Samples.replica(TargetKind.CLASSES, 1, Precision.FP32);
        private final Strategy strategy;
        private final List<Integer> shares;
        private final int rank;

        Rank(int rank, List<Integer> shares, Making making) {
            this.rank = rank;
            this.shares = shares;
            this.strategy = making.of(replica);
        }

        Void train(Collective collective, int from, Stretch stretch) {
            ExchangeLayout layout =
                    new ExchangeLayout(
                            replica.layout().type(),
                            replica.layout().gradientBytes(),
                            0,
                            shares.size(),
                            0);
            replica.bindGradients(collective.buffer().slice(0, layout.gradientBytes()));
            Buckets buckets =
                    new Buckets(replica, collective, layout, 512, stretch.how().exactSteps());
            for (int step = from + 1; step <= from + stretch.steps(); step++) {
                Part part = compute(step, buckets);
                strategy.update(part, buckets.tail()).run();
                buckets.applied();
            }
            return null;
        }

        private Part compute(int step, Buckets buckets) {
            int first = shares.subList(0, rank).stream().mapToInt(n -> n).sum();
            int inner = strategy instanceof EveryStep ? 1 : INNER_STEPS;
            List<Integer> batches = shares.stream().map(share -> inner).toList();
            Part part =
                    new Part(
                            step,
                            rank,
                            first,
                            shares,
                            batches,
                            BATCH,
                            inner,
                            i -> 1,
                            Part.Patience.ALL);
            Batch own = Samples.of(TargetKind.CLASSES, BATCH, 1);
            Batch share = own.rows(first, first + shares.get(rank));
            buckets.begin(new StepTag(1, step, 1), strategy.unit(part));
            StepLoss loss = strategy.compute(part, new Same(share), buckets);
            assertThat(loss).isNotNull();
            buckets.conclude(loss, 0);
            assertThat(buckets.finish()).isNull();
            return part;
        }

        String hash() {
            return SpanHash.of(List.of(replica.parameters()));
        }

        @Override
        public void close() {
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
