package dev.medley.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.Seeds;
import dev.medley.base.StepTag;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.SpanHash;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec.Kind;
import dev.medley.exchange.Collective;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.model.StepLoss;
import dev.medley.training.RanksOnThreads;
import dev.medley.training.bucket.Buckets;
import dev.medley.training.bucket.ExchangeLayout;
import dev.medley.training.loop.RunningStatistics.From;
import dev.medley.training.rounds.LocalSteps;
import dev.medley.training.strategy.EveryStep;
import dev.medley.training.strategy.Feed;
import dev.medley.training.strategy.GradientRule;
import dev.medley.training.strategy.Part;
import dev.medley.training.strategy.Strategy;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Running mean and variance of a normalisation, of workers whose samples are unlike each other,
 * against one process that takes all of them at once. Nothing is learnt, so what is normalised is
 * the same on both sides.
 */
@Tag("unit")
class PooledStatisticsTest {
    private static final int SIDE = 4;
    private static final int STEPS = 6;
    private static final OptimizerSpec STILL =
            OptimizerSpec.defaults(OptimizerSpec.Kind.SGD).withLearningRate(1e-300);

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    private static Stream<Arguments> cuts() {
        return Stream.of(
                Arguments.of(List.of(8, 8, 8), 100, 1),
                Arguments.of(List.of(5, 1, 0), 100, 1),
                Arguments.of(List.of(1, 0, 0), 100, 1),
                Arguments.of(List.of(7, 3, 2), 2, 1),
                Arguments.of(List.of(6, 4, 2), 100, 5),
                Arguments.of(List.of(9, 0, 3), 2, 5));
    }

    /**
     * Also where each takes its share in micro-batches, and where it goes through several batches
     * by itself.
     */
    @ParameterizedTest
    @MethodSource("cuts")
    void shouldBeThoseOfOneProcessWithAllSamples(List<Integer> shares, int microBatch, int batches)
            throws Exception {
        try (RanksOnThreads three = new RanksOnThreads(3)) {
            List<double[]> ends =
                    three.play(1, 1 << 16, each -> together(each, shares, microBatch, batches));
            double[] expected = alone(shares.stream().mapToInt(n -> n).sum(), batches);
            for (double[] end : ends) {
                assertThat(end).isEqualTo(ends.get(0));
                for (int i = 0; i < expected.length; i++) {
                    assertThat(end[i]).as("%d", i).isCloseTo(expected[i], within(1e-12));
                }
            }
        }
    }

    @Test
    void aDiscardedStepShouldLeaveNoTrace() throws Exception {
        try (Replica replica = replica()) {
            RunningStatistics statistics =
                    new RunningStatistics(
                            replica.buffers(),
                            replica.moments(),
                            HostArray.allocate(ElementType.UINT8, RunningStatistics.bytes(replica))
                                    .data(),
                            ElementType.FLOAT64);
            String before = SpanHash.of(List.of(replica.buffers()));
            pass(replica, samples(0, 4));
            statistics.discarded();
            assertThat(SpanHash.of(List.of(replica.buffers()))).isEqualTo(before);
            pass(replica, samples(4, 8));
            statistics.offer(4, From.COMMON);
            statistics.applied(4);
            double[] after = values(replica);
            try (Replica other = replica()) {
                pass(other, samples(4, 8));
                for (int i = 0; i < after.length; i++) {
                    assertThat(after[i]).isCloseTo(values(other)[i], within(1e-13));
                }
            }
        }
    }

    /** What one worker says of two of them is what it has. */
    @Test
    void eachNormalisationShouldHaveItsOwn() {
        try (Replica replica = replica(List.of(3, 2))) {
            assertThat(replica.moments()).hasSize(2);
            RunningStatistics statistics =
                    new RunningStatistics(
                            replica.buffers(),
                            replica.moments(),
                            HostArray.allocate(ElementType.UINT8, RunningStatistics.bytes(replica))
                                    .data(),
                            ElementType.FLOAT64);
            pass(replica, samples(4, 8));
            double[] before = values(replica);
            statistics.offer(4, From.COMMON);
            statistics.applied(4);
            assertThat(values(replica)).containsExactly(before, within(1e-13));
        }
    }

    private static double[] alone(int samples, int batches) {
        try (Replica replica = replica()) {
            pass(replica, samples(0, 5)); // Of a trial.
            for (int step = 1; step <= STEPS * batches; step++) {
                pass(replica, samples(0, samples));
            }
            return values(replica);
        }
    }

    private static void pass(Replica replica, Batch batch) {
        replica.zeroGradients();
        StepLoss unused = replica.forwardBackward(batch, 1, ReadyListener.NONE);
    }

    private static double[] together(
            Collective collective, List<Integer> shares, int microBatch, int batches) {
        int rank = collective.rank();
        int from = shares.subList(0, rank).stream().mapToInt(n -> n).sum();
        Batch own = samples(from, from + shares.get(rank));
        try (Replica replica = replica();
                Strategy strategy = strategy(replica, batches)) {
            pass(replica, samples(0, 5));
            ExchangeLayout layout =
                    new ExchangeLayout(
                            replica.layout().type(),
                            replica.layout().gradientBytes(),
                            RunningStatistics.bytes(replica),
                            shares.size(),
                            0);
            replica.bindGradients(collective.buffer().slice(0, layout.gradientBytes()));
            Buckets buckets = new Buckets(replica, collective, layout, 512, 0);
            RunningStatistics statistics =
                    new RunningStatistics(
                            replica.buffers(),
                            replica.moments(),
                            collective.buffer().slice(layout.bufferOffset(), layout.bufferBytes()),
                            layout.elementType());
            List<Integer> counts = Collections.nCopies(shares.size(), batches);
            for (int step = 1; step <= STEPS; step++) {
                if (step == 3) {
                    pass(replica, samples(rank, 2 * rank + 2)); // Of a step that is discarded.
                    statistics.discarded();
                }
                Part part = new Part(step, rank, from, counts, microBatch, i -> 1);
                buckets.begin(new StepTag(1, step, 1));
                StepLoss loss =
                        Objects.requireNonNull(strategy.compute(part, new Same(own), buckets));
                statistics.offer(loss.weight(), From.COMMON);
                buckets.conclude(loss, 0);
                assertThat(buckets.finish()).isNull();
                strategy.update(part, buckets.tail()).run();
                statistics.applied(buckets.tail().weight());
            }
            return values(replica);
        }
    }

    private static Strategy strategy(Replica replica, int batches) {
        return batches == 1
                ? new EveryStep(new GradientRule(replica, replica.optimizer(STILL), 0))
                : new LocalSteps(
                        replica, replica.optimizer(STILL), RoundSpec.defaults(Kind.LOCAL_SGD), 0);
    }

    /** One normalisation. */
    private static Replica replica() {
        return replica(List.of(3));
    }

    /** One after each convolution. */
    private static Replica replica(List<Integer> channels) {
        Signature pictures =
                new Signature(
                        List.of(
                                new Input(
                                        "picture",
                                        ElementType.FLOAT32,
                                        List.of(1, SIDE, SIDE),
                                        List.of())),
                        new Target(TargetKind.VALUE, 1, List.of()));
        return Replica.build(
                new ModelSpec.Cnn(channels, 3, List.of(), true, 0),
                LossSpec.auto(),
                List.of(),
                pictures,
                ReplicaOptions.of(1, Precision.FP64));
    }

    private static double[] values(Replica replica) {
        DoubleBuffer buffer = replica.buffers().buffer().asDoubleBuffer();
        double[] values = new double[buffer.remaining()];
        buffer.get(values);
        return values;
    }

    /** The later a sample, the brighter: workers' means are far apart. */
    private static Batch samples(int from, int to) {
        RandomGenerator random = Seeds.generator(3);
        HostArray pictures = HostArray.allocate(ElementType.FLOAT32, 24, 1, SIDE, SIDE);
        FloatBuffer pixels = pictures.data().buffer().asFloatBuffer();
        for (int i = 0; i < pixels.limit(); i++) {
            pixels.put(i, i / 30f + (float) random.nextGaussian());
        }
        HostArray target = HostArray.allocate(ElementType.FLOAT32, 24);
        return new Batch(List.of(pictures), target, 24).rows(from, to);
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
