package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.StepTag;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.SpanHash;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.base.strategy.StreamSpec;
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
import dev.medley.training.rounds.StreamedSteps;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Training of three workers at two sites learns as well with a codec between them as without. */
@Tag("unit")
class CompressedTrainingTest {
    private static final List<String> SITES = List.of("east", "east", "west");
    private static final int SAMPLES = 64;
    private static final double RATE = 0.01;
    private static final StreamSpec STREAM = new StreamSpec(3, 1);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    /** How a worker ended: equal on all workers. */
    private record End(double loss, String hash) {}

    @ParameterizedTest
    @EnumSource(names = {"BF16", "FP16", "INT8", "INT4"})
    void dataParallelShouldReachTheLossOfTheUncompressedRun(Compress codec) throws Exception {
        double plain = train(Compress.NONE, 200, CompressedTrainingTest::everyStep);
        double coded = train(codec, 200, CompressedTrainingTest::everyStep);
        assertThat(plain).as("it learns").isLessThan(0.7 * before());
        // 15 levels are few for every single step: it learns, but more slowly under Adam.
        double most = codec == Compress.INT4 ? 1.4 : 1.05;
        assertThat(coded).isBetween(0.9 * plain, most * plain);
    }

    @ParameterizedTest
    @EnumSource(names = {"INT8", "INT4"})
    void dilocoShouldReachTheLossOfTheUncompressedRun(Compress codec) throws Exception {
        double plain = train(Compress.NONE, 40, CompressedTrainingTest::rounds);
        double coded = train(codec, 40, CompressedTrainingTest::rounds);
        assertThat(plain).as("it learns").isLessThan(0.8 * before());
        assertThat(coded).isBetween(0.9 * plain, 1.1 * plain);
    }

    @Test
    void fragmentsShouldReachTheLossOfTheUncompressedRun() throws Exception {
        double plain = train(Compress.NONE, 40, CompressedTrainingTest::streamed);
        double coded = train(Compress.INT4, 40, CompressedTrainingTest::streamed);
        assertThat(plain).as("it learns").isLessThan(0.8 * before());
        assertThat(coded).isBetween(0.9 * plain, 1.1 * plain);
    }

    /** Few elements a step are slower, but nothing is lost: twice the steps make up for it. */
    @Test
    void theLargestElementsShouldBeEnoughToLearnFrom() throws Exception {
        CodecSpec quarter = new CodecSpec(0.25, 0);
        double plain = train(Compress.NONE, 200, CompressedTrainingTest::everyStep);
        double coded = train(Compress.TOPK, quarter, 400, CompressedTrainingTest::everyStep);
        assertThat(coded).isBetween(0.5 * plain, 1.2 * plain);
    }

    /** Of three sites only two have a thin link between them. */
    @Test
    void bordersWithCodecsOfTheirOwnShouldLearnAsWell() throws Exception {
        List<String> sites = List.of("east", "west", "hub");
        CodecSpec thin =
                CodecSpec.DEFAULT.at(
                        Stream.of("east", "west")
                                .flatMap(
                                        site ->
                                                Stream.of(
                                                        new BorderCodec(site, "hub", Compress.NONE),
                                                        new BorderCodec(
                                                                "hub", site, Compress.BF16)))
                                .toList());
        BiFunction<Replica, Optimizer, Strategy> every = CompressedTrainingTest::everyStep;
        double plain = train(sites, Compress.NONE, CodecSpec.DEFAULT, 200, every);
        double mixed = train(sites, Compress.INT4, thin, 200, every);
        assertThat(mixed).isNotEqualTo(plain).isBetween(0.9 * plain, 1.4 * plain);
        assertThat(train(sites, Compress.INT4, thin, 200, every)).as("again").isEqualTo(mixed);
    }

    @Test
    void exchangesBeforeCompressionBeginsShouldBeExact() throws Exception {
        CodecSpec never = new CodecSpec(0.01, 20);
        double plain = train(Compress.NONE, 20, CompressedTrainingTest::everyStep);
        assertThat(train(Compress.TOPK, never, 20, CompressedTrainingTest::everyStep))
                .isEqualTo(plain);
        assertThat(train(Compress.TOPK, never.after(19), 20, CompressedTrainingTest::everyStep))
                .isNotEqualTo(plain);
    }

    private static Strategy everyStep(Replica replica, Optimizer optimizer) {
        return new EveryStep(new GradientRule(replica, optimizer, 0));
    }

    private static Strategy rounds(Replica replica, Optimizer optimizer) {
        RoundSpec round = RoundSpec.defaults(StrategySpec.Kind.DILOCO);
        return new LocalSteps(replica, optimizer, round, 0);
    }

    private static Strategy streamed(Replica replica, Optimizer optimizer) {
        RoundSpec round = RoundSpec.defaults(StrategySpec.Kind.DILOCO);
        return new StreamedSteps(replica, optimizer, round.streaming(STREAM), 0);
    }

    private static double before() {
        try (Replica replica = Samples.replica(TargetKind.CLASSES, 1, Precision.FP32)) {
            return loss(replica);
        }
    }

    /** The loss over all workers' samples after so many exchanges. */
    private static double train(
            Compress codec, int steps, BiFunction<Replica, Optimizer, Strategy> making)
            throws Exception {
        return train(codec, CodecSpec.DEFAULT, steps, making);
    }

    private static double train(
            Compress codec,
            CodecSpec spec,
            int steps,
            BiFunction<Replica, Optimizer, Strategy> making)
            throws Exception {
        return train(SITES, codec, spec, steps, making);
    }

    private static double train(
            List<String> sites,
            Compress codec,
            CodecSpec spec,
            int steps,
            BiFunction<Replica, Optimizer, Strategy> making)
            throws Exception {
        try (RanksOnThreads ranks = new RanksOnThreads(sites, codec, spec)) {
            List<End> ends = ranks.play(1, 1 << 16, each -> train(each, spec, steps, making));
            assertThat(ends).as("equal everywhere").containsOnly(ends.get(0));
            return ends.get(0).loss();
        }
    }

    private static End train(
            Collective collective,
            CodecSpec spec,
            int steps,
            BiFunction<Replica, Optimizer, Strategy> making) {
        OptimizerSpec adam =
                OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW).withLearningRate(RATE);
        try (Replica replica = Samples.replica(TargetKind.CLASSES, 1, Precision.FP32);
                Strategy strategy = making.apply(replica, replica.optimizer(adam))) {
            ExchangeLayout layout =
                    new ExchangeLayout(
                            replica.layout().type(),
                            replica.layout().gradientBytes(),
                            0,
                            collective.size(),
                            0,
                            strategy instanceof StreamedSteps ? STREAM.fragments() : 0,
                            0);
            replica.bindGradients(collective.buffer().slice(0, layout.gradientBytes()));
            Buckets buckets = new Buckets(replica, collective, layout, 512, spec.exactSteps());
            Batch own = samples(collective.rank());
            int batches = strategy instanceof EveryStep ? 1 : 5;
            for (int step = 1; step <= steps; step++) {
                Part part =
                        new Part(
                                step,
                                collective.rank(),
                                (long) SAMPLES * collective.rank(),
                                List.of(batches, batches, batches),
                                SAMPLES,
                                i -> 1);
                buckets.begin(new StepTag(1, step, 1));
                StepLoss loss = strategy.compute(part, new Same(own), buckets);
                assertThat(loss).isNotNull();
                buckets.conclude(loss, 0);
                assertThat(buckets.finish()).isNull();
                strategy.update(part, buckets.tail()).run();
                collective.applied();
            }
            return new End(loss(replica), SpanHash.of(List.of(replica.parameters())));
        }
    }

    private static double loss(Replica replica) {
        double sum = 0;
        double weight = 0;
        for (int rank = 0; rank < SITES.size(); rank++) {
            Part part = new Part(1, rank, 0, List.of(1, 1, 1), SAMPLES, i -> 1);
            StepLoss loss = new Passes(replica).of(samples(rank), part, 0, slot -> {});
            sum += loss.lossSum();
            weight += loss.weight();
        }
        return sum / weight;
    }

    private static Batch samples(int rank) {
        return Samples.of(TargetKind.CLASSES, SAMPLES, rank + 1);
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
