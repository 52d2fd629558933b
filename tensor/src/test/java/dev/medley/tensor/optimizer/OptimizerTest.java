package dev.medley.tensor.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.OptimizerSpec.Kind;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.tensor.FlatBuffer;
import dev.medley.tensor.Formula;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layout.ParameterGroups;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class OptimizerTest {
    private static final int COUNT = 10_007;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    static Stream<OptimizerSpec> rules() {
        return Stream.of(
                OptimizerSpec.defaults(Kind.SGD),
                new OptimizerSpec(Kind.SGD, 0.1, 0.9, false, 0.9, 0.999, 1e-8, 0.01),
                new OptimizerSpec(Kind.SGD, 0.1, 0.9, true, 0.9, 0.999, 1e-8, 0),
                OptimizerSpec.defaults(Kind.ADAM).withWeightDecay(0.1),
                OptimizerSpec.defaults(Kind.ADAMW),
                OptimizerSpec.defaults(Kind.ADAGRAD).withWeightDecay(0.1),
                OptimizerSpec.defaults(Kind.RMSPROP).withWeightDecay(0.1),
                new OptimizerSpec(Kind.RMSPROP, 0.01, 0.9, false, 0.9, 0.99, 1e-8, 0));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void shouldUpdateStrictlyAsLibTorchDoes(OptimizerSpec spec) {
        float[] fast = parametersAfter(spec, Arithmetic.LIBTORCH, 5, 12.5, 0.75);
        float[] strict = parametersAfter(spec, Arithmetic.STRICT, 5, 12.5, 0.75);
        for (int i = 0; i < COUNT; i++) {
            assertThat(strict[i]).isCloseTo(fast[i], within(2e-6f));
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void shouldFoldDivisorAndClipIntoTheUpdate(OptimizerSpec spec) {
        for (Arithmetic arithmetic : Arithmetic.values()) {
            float[] plain = parametersAfter(spec, arithmetic, 3, 1, 1);
            float[] folded = parametersAfter(spec, arithmetic, 3, 0.5, 0.5);
            assertThat(folded).isEqualTo(plain);
            float[] other = parametersAfter(spec, arithmetic, 3, 4, 0.5);
            assertThat(other).isNotEqualTo(plain);
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void shouldContinueBitForBitFromItsState(OptimizerSpec spec) {
        for (Arithmetic arithmetic : Arithmetic.values()) {
            try (Fixture whole = new Fixture(spec, arithmetic);
                    Fixture first = new Fixture(spec, arithmetic);
                    Fixture second = new Fixture(spec, arithmetic)) {
                whole.run(1, 6, 2, 1);
                first.run(1, 3, 2, 1);
                second.parameters.span().copyFrom(first.parameters.span());
                List<NamedSpan> from = first.optimizer.state();
                List<NamedSpan> to = second.optimizer.state();
                for (int i = 0; i < from.size(); i++) {
                    assertThat(to.get(i).name()).isEqualTo(from.get(i).name());
                    to.get(i).data().copyFrom(from.get(i).data());
                }
                second.run(4, 6, 2, 1);
                assertThat(second.values()).isEqualTo(whole.values());
            }
        }
    }

    /** From there on an update is the momentum over the root of what the first two have taught. */
    @Test
    void shouldKeepTheVarianceOfTheFirstUpdates() {
        OptimizerSpec adam = new OptimizerSpec(Kind.ADAM, 0.01, 0, false, 0.9, 0.999, 1e-8, 0);
        for (Arithmetic arithmetic : Arithmetic.values()) {
            try (Fixture run = new Fixture(adam, arithmetic)) {
                run.optimizer.learnVarianceFor(2);
                run.run(1, 2, 2, 1);
                float[] variance = values(run, "optimizer.exp_avg_sq");
                float[] before = run.values();
                run.run(3, 3, 2, 1);
                assertThat(values(run, "optimizer.exp_avg_sq")).isEqualTo(variance);
                float[] momentum = values(run, "optimizer.exp_avg");
                float[] after = run.values();
                double rate = 0.01 / (1 - Math.pow(0.9, 3));
                double correction = Math.sqrt(1 - Math.pow(0.999, 2));
                for (int i = 0; i < COUNT; i++) {
                    double divisor = Math.sqrt(variance[i]) / correction + 1e-8;
                    double expected = before[i] - rate * momentum[i] / divisor;
                    assertThat((double) after[i]).isCloseTo(expected, within(2e-6));
                }
            }
        }
    }

    /**
     * Where a unit has died its gradients are 0: the means decay, and are 0 before they are slow.
     */
    @Test
    void decayingMeansShouldNotBecomeSubnormal() {
        for (Arithmetic arithmetic : Arithmetic.values()) {
            try (Fixture run = new Fixture(OptimizerSpec.defaults(Kind.ADAM), arithmetic)) {
                run.run(1, 1, 2, 1);
                for (int step = 2; step <= 1000; step++) {
                    run.forgetGradients();
                    run.optimizer.apply(1, 2, 1);
                    if (step % 20 == 0) {
                        for (float mean : values(run, "optimizer.exp_avg")) {
                            assertThat(mean == 0 || Math.abs(mean) >= Float.MIN_NORMAL).isTrue();
                        }
                    }
                }
                assertThat(values(run, "optimizer.exp_avg")).containsOnly(0);
            }
        }
    }

    private static float[] values(Fixture run, String name) {
        NamedSpan state =
                run.optimizer.state().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        float[] values = new float[COUNT];
        int at = 0;
        for (ByteBuffer piece : state.data().buffers()) {
            while (piece.hasRemaining() && at < COUNT) {
                values[at++] = piece.getFloat();
            }
        }
        return values;
    }

    private static float[] parametersAfter(
            OptimizerSpec spec, Arithmetic arithmetic, int steps, double divisor, double clip) {
        try (Fixture fixture = new Fixture(spec, arithmetic)) {
            fixture.run(1, steps, divisor, clip);
            return fixture.values();
        }
    }

    private static final class Fixture implements AutoCloseable {
        final FlatBuffer parameters = FlatBuffer.allocate(ElementType.FLOAT32, COUNT);
        final FlatBuffer gradients = FlatBuffer.allocate(ElementType.FLOAT32, COUNT);
        final Optimizer optimizer;

        Fixture(OptimizerSpec spec, Arithmetic arithmetic) {
            Slot slot = new Slot("w", List.of((long) COUNT), MemoryOrder.ROW_MAJOR, 0, true);
            ParameterLayout layout =
                    new ParameterLayout(ElementType.FLOAT32, List.of(slot), List.of());
            optimizer =
                    new Optimizer(
                            spec,
                            layout,
                            new ParameterGroups(new ArrayList<>()),
                            parameters,
                            () -> gradients);
            optimizer.setArithmetic(arithmetic);
            write(parameters, 0);
        }

        void run(int from, int to, double divisor, double clip) {
            for (int step = from; step <= to; step++) {
                write(gradients, step);
                optimizer.apply(1, divisor, clip);
            }
        }

        void forgetGradients() {
            gradients.span().buffer().asFloatBuffer().put(new float[COUNT]);
        }

        float[] values() {
            float[] values = new float[COUNT];
            parameters.span().buffer().asFloatBuffer().get(values);
            return values;
        }

        private static void write(FlatBuffer buffer, long salt) {
            ByteBuffer bytes = buffer.span().buffer();
            for (int i = 0; i < COUNT; i++) {
                bytes.putFloat((float) Formula.signed(i, salt));
            }
        }

        @Override
        public void close() {
            optimizer.close();
            parameters.close();
            gradients.close();
        }
    }
}
