package dev.medley.tensor.optimizer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.TrainSpec.ParameterGroupSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.tensor.FlatBuffer;
import dev.medley.tensor.Torch;
import dev.medley.tensor.layout.ParameterGroups;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import dev.medley.tensor.layout.Slot.MemoryOrder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("property")
class ParameterShardTest {
    private static final int COUNT = 300;
    private static final long[][] CUTS = {
        {0, COUNT}, {0, 0, COUNT}, {0, 37, 38, 170, COUNT}, {0, 100, 200, 299, COUNT}
    };

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    static Stream<OptimizerSpec> rules() {
        return Stream.of(
                new OptimizerSpec(OptimizerSpec.Kind.SGD, 0.1, 0.9, true, 0.9, 0.999, 1e-8, 0.1),
                OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW).withWeightDecay(0.1));
    }

    /** Of three parameters one has its own rate and no decay, and one is frozen. */
    @ParameterizedTest
    @MethodSource("rules")
    void shardsShouldMoveAsTheWholeDoesWhereverTheyAreCut(OptimizerSpec spec) {
        ParameterLayout layout =
                new ParameterLayout(
                        ElementType.FLOAT64,
                        List.of(slot("w", 0, true), slot("b", 100, true), slot("f", 200, false)),
                        List.of());
        ParameterGroups groups =
                new ParameterGroups(List.of(new ParameterGroupSpec("b", false, 0.03, 0.0)));
        double[] whole = after(spec, layout, groups, CUTS[0]);
        assertThat(whole).isNotEqualTo(values(0));
        try (FlatBuffer parameters = FlatBuffer.allocate(ElementType.FLOAT64, COUNT);
                FlatBuffer gradients = FlatBuffer.allocate(ElementType.FLOAT64, COUNT);
                Optimizer optimizer =
                        new Optimizer(spec, layout, groups, parameters, () -> gradients)) {
            optimizer.setArithmetic(Arithmetic.STRICT);
            write(parameters.span(), values(0), 0);
            for (int step = 1; step <= 3; step++) {
                write(gradients.span(), values(step), 0);
                optimizer.apply(0.5, step, 1);
            }
            assertThat(whole).isEqualTo(read(parameters.span()));
        }
        for (long[] cut : CUTS) {
            assertThat(after(spec, layout, groups, cut)).isEqualTo(whole);
        }
    }

    private static double[] after(
            OptimizerSpec spec, ParameterLayout layout, ParameterGroups groups, long[] cut) {
        double[] all = new double[COUNT];
        for (int i = 0; i + 1 < cut.length; i++) {
            int from = (int) cut[i];
            try (ParameterShard shard =
                    new ParameterShard(spec, layout, groups, cut[i], cut[i + 1])) {
                write(shard.parameters(), values(0), from);
                for (int step = 1; step <= 3; step++) {
                    write(shard.gradients(), values(step), from);
                    shard.apply(0.5, step);
                }
                double[] part = read(shard.parameters());
                System.arraycopy(part, 0, all, from, part.length);
            }
        }
        return all;
    }

    private static Slot slot(String name, long offset, boolean isTrainable) {
        return new Slot(name, List.of(100L), MemoryOrder.ROW_MAJOR, offset, isTrainable);
    }

    private static double[] values(int step) {
        double[] values = new double[COUNT];
        for (int i = 0; i < COUNT; i++) {
            values[i] = Math.sin(i + 7.0 * step);
        }
        return values;
    }

    private static void write(Span span, double[] values, int from) {
        if (span.bytes() > 0) {
            int count = (int) (span.bytes() / Double.BYTES);
            span.buffer().asDoubleBuffer().put(values, from, count);
        }
    }

    private static double[] read(Span span) {
        double[] values = new double[(int) (span.bytes() / Double.BYTES)];
        if (values.length > 0) {
            span.buffer().asDoubleBuffer().get(values);
        }
        return values;
    }
}
