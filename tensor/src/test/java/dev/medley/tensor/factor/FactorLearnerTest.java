package dev.medley.tensor.factor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.OptimizerSpec.Kind;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Input;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanSource;
import dev.medley.base.model.FactorSpec;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Learner;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.optimizer.Arithmetic;
import dev.medley.tensor.optimizer.Optimizer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds that learning by touched rows is learning by the network of the family. */
@Tag("real")
class FactorLearnerTest {
    private static final int SAMPLES = 40;
    private static final long SEED = 5;
    private static final ModelSpec.Factorization MODEL =
            new ModelSpec.Factorization(FactorSpec.defaults().withRank(6));

    private static final Input NUMBERS =
            new Input("features", ElementType.FLOAT32, List.of(2), List.of());
    private static final Input CODES =
            new Input("categories", ElementType.INT64, List.of(2), List.of(30, 12));

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    static Stream<Signature> signatures() {
        Target number = new Target(TargetKind.VALUE, 1, List.of(), 3.5, 0.75);
        Target yes = new Target(TargetKind.BINARY, 1, List.of("no", "yes"));
        return Stream.of(
                new Signature(List.of(CODES), number),
                new Signature(List.of(NUMBERS, CODES), number),
                new Signature(List.of(NUMBERS, CODES), yes, true),
                new Signature(List.of(NUMBERS), yes));
    }

    private static FactorLearner learner(Signature signature) {
        return new FactorLearner(
                MODEL, signature, FactorSides.NONE, SEED, SAMPLES, null, SpanSource.NATIVE);
    }

    private static Replica replica(Signature signature) {
        return Replica.build(
                MODEL,
                LossSpec.auto(),
                List.of(),
                signature,
                ReplicaOptions.of(SEED, Precision.FP32));
    }

    private static Batch batch(Signature signature, long seed) {
        RandomGenerator random = Seeds.generator(seed);
        List<HostArray> inputs =
                signature.inputs().stream().map(input -> array(input, random)).toList();
        HostArray target = HostArray.allocate(ElementType.FLOAT32, SAMPLES);
        HostArray weights = HostArray.allocate(ElementType.FLOAT32, SAMPLES);
        for (int i = 0; i < SAMPLES; i++) {
            boolean isNumber = signature.target().kind() == TargetKind.VALUE;
            float value = isNumber ? random.nextInt(10) / 2f : random.nextInt(2);
            floats(target.data()).put(i, value);
            floats(weights.data()).put(i, random.nextFloat());
        }
        return new Batch(inputs, target, signature.weighted() ? weights : null, SAMPLES);
    }

    private static HostArray array(Input input, RandomGenerator random) {
        HostArray array = HostArray.allocate(input.type(), SAMPLES, 2);
        for (int i = 0; i < 2 * SAMPLES; i++) {
            if (input.cardinalities().isEmpty()) {
                floats(array.data()).put(i, (float) random.nextGaussian());
            } else {
                int known = input.cardinalities().get(i % 2) - 1;
                array.data().buffer().asLongBuffer().put(i, random.nextInt(known));
            }
        }
        return array;
    }

    private static FloatBuffer floats(Span span) {
        return span.buffer().asFloatBuffer();
    }

    @ParameterizedTest
    @MethodSource("signatures")
    void shouldPredictAsTheNetworkOfTheFamily(Signature signature) {
        Batch batch = batch(signature, 1);
        try (FactorLearner learner = learner(signature);
                Replica replica = replica(signature)) {
            assertThat(learner.parameterHash()).isEqualTo(replica.parameterHash());
            var own = learner.evaluate(batch);
            var networks = replica.evaluate(batch);
            for (int i = 0; i < SAMPLES; i++) {
                assertThat(floats(own.outputs().data()).get(i))
                        .isCloseTo(floats(networks.outputs().data()).get(i), within(1e-5f));
            }
            assertThat(own.lossSum()).isCloseTo(networks.lossSum(), within(1e-3));
            assertThat(own.weight()).isCloseTo(networks.weight(), within(1e-5));
        }
    }

    @ParameterizedTest
    @MethodSource("signatures")
    void shouldMoveTouchedRowsAsADenseRuleMovesAll(Signature signature) {
        for (Kind kind : List.of(Kind.SGD, Kind.ADAGRAD)) {
            OptimizerSpec spec = OptimizerSpec.defaults(kind).withLearningRate(0.05);
            try (FactorLearner learner = learner(signature);
                    Replica replica = replica(signature)) {
                RowRule rule = new RowRule(spec, learner);
                try (Optimizer dense = replica.optimizer(spec)) {
                    dense.setArithmetic(Arithmetic.STRICT);
                    for (int step = 1; step <= 6; step++) {
                        Batch batch = batch(signature, step);
                        replica.begin();
                        replica.take(batch, step, 0, ReadyListener.NONE);
                        dense.apply(1, SAMPLES, 1);
                        step(learner, rule, batch, step);
                    }
                }
                assertClose(learner, replica, 2e-5f);
            }
        }
    }

    private static void step(FactorLearner learner, RowRule rule, Batch batch, int step) {
        TouchedBatch touched = learner.touched(batch, step, 0);
        float[] gradients = new float[touched.rows().length * learner.stride()];
        learner.gradient(touched, gradients);
        rule.apply(touched.rows(), gradients, 1, SAMPLES);
    }

    private static void assertClose(Learner left, Learner right, float most) {
        float[] expected = new float[(int) left.layout().elements()];
        float[] found = expected.clone();
        floats(left.parameters()).get(expected);
        floats(right.parameters()).get(found);
        float largest = 0;
        for (int i = 0; i < expected.length; i++) {
            largest = Math.max(largest, Math.abs(expected[i] - found[i]));
        }
        assertThat(largest).isLessThan(most);
    }

    @ParameterizedTest
    @MethodSource("signatures")
    void membersOfUnlikeSharesShouldSumWhatOneGathers(Signature signature) {
        Batch whole = batch(signature, 3);
        List<Integer> shares = List.of(30, 0, 10);
        OptimizerSpec spec = OptimizerSpec.defaults(Kind.ADAM);
        try (FactorLearner alone = learner(signature)) {
            step(alone, new RowRule(spec, alone), whole, 1);
            float[][] sums = new float[3][];
            double[] numbers = new double[0];
            List<FactorLearner> members = Stream.of(1, 2, 3).map(m -> learner(signature)).toList();
            for (int rank = 0; rank < 3; rank++) {
                FactorLearner member = members.get(rank);
                member.bindOwn(Span.allocate(member.ownBytes(3)), 0);
                RowExchange exchange = member.exchange(shares);
                exchange.write(rank, rank == 1 ? new int[0] : share(member, whole, rank).rows());
                DoubleBuffer written = doubles(member, exchange);
                numbers = numbers.length == 0 ? new double[written.capacity()] : numbers;
                for (int i = 0; i < numbers.length; i++) {
                    numbers[i] += written.get(i);
                }
            }
            for (int rank = 0; rank < 3; rank++) {
                FactorLearner member = members.get(rank);
                RowExchange exchange = member.exchange(shares);
                doubles(member, exchange).put(numbers);
                int[] union = exchange.union();
                assertThat(union).isEqualTo(alone.touched(whole, 1, 0).rows());
                sums[rank] = new float[union.length * member.stride()];
                member.gradient(share(member, whole, rank).among(union), sums[rank]);
            }
            float[] sum = sums[0].clone();
            for (int i = 0; i < sum.length; i++) {
                sum[i] += sums[1][i] + sums[2][i];
            }
            FactorLearner first = members.get(0);
            new RowRule(spec, first).apply(alone.touched(whole, 1, 0).rows(), sum, 1, SAMPLES);
            assertClose(alone, first, 1e-4f);
        }
    }

    private static DoubleBuffer doubles(FactorLearner member, RowExchange exchange) {
        return member.exchange().slice(0, exchange.numberBytes()).buffer().asDoubleBuffer();
    }

    private static TouchedBatch share(FactorLearner member, Batch whole, int rank) {
        int from = rank == 0 ? 0 : 30;
        return member.touched(whole.rows(from, rank == 1 ? from : rank == 0 ? 30 : 40), 1, from);
    }

    @Test
    void whatTrainingHasNotSeenShouldCountNothing() {
        Signature signature = signatures().findFirst().orElseThrow();
        Batch batch = batch(signature, 9);
        batch.inputs().get(0).data().buffer().asLongBuffer().put(0, 29).put(1, 11);
        try (FactorLearner learner = learner(signature)) {
            assertThat(floats(learner.forward(batch).data()).get(0)).isEqualTo(3.5f);
        }
    }

    @Test
    void shouldRefuseClassesAndSingleColumns() {
        Target classes = new Target(TargetKind.CLASSES, 3, List.of("a", "b", "c"));
        assertThatThrownBy(() -> learner(new Signature(List.of(CODES), classes)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("data.task: regression");
        Input one = new Input("categories", ElementType.INT64, List.of(1), List.of(5));
        Target number = new Target(TargetKind.VALUE, 1, List.of());
        assertThatThrownBy(() -> learner(new Signature(List.of(one), number)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("nothing to factorise");
    }
}
