package dev.medley.training.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Span;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.StepLoss;
import dev.medley.tensor.optimizer.Optimizer;
import dev.medley.training.Samples;
import java.nio.DoubleBuffer;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class GradientUpdateTest {
    private static final double RATE = 0.1;
    private static final double FACTOR = 0.5;

    @BeforeAll
    static void start() {
        Torch.start(1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 1e-3, 1e6})
    void shouldMoveAgainstTheMeanGradientNoFurtherThanTheLimit(double clipNorm) {
        OptimizerSpec sgd = OptimizerSpec.defaults(OptimizerSpec.Kind.SGD).withLearningRate(RATE);
        try (Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
                Optimizer optimizer = replica.optimizer(sgd)) {
            replica.zeroGradients();
            StepLoss loss =
                    replica.forwardBackward(
                            Samples.of(TargetKind.VALUE, 24, 1), 1, ReadyListener.NONE);
            assertThat(loss.weight()).isEqualTo(24);
            double[] before = doubles(replica.parameters());
            double[] gradient = doubles(replica.gradients());
            double squared = 0;
            for (double g : gradient) {
                squared += g * g / 24 / 24;
            }
            double norm = Math.sqrt(squared);
            double scale = clipNorm == 0 ? 1 : Math.min(1, clipNorm / norm);
            GradientUpdate update = new GradientUpdate(replica, optimizer, 24, clipNorm, FACTOR);
            update.run();
            double[] after = doubles(replica.parameters());
            for (int i = 0; i < after.length; i++) {
                double step = RATE * FACTOR * scale * gradient[i] / 24;
                assertThat(after[i]).isCloseTo(before[i] - step, within(1e-6 * norm));
            }
            assertThat(update.learningRateFactor()).isEqualTo(FACTOR);
            if (clipNorm == 0) {
                assertThat(update.gradientNorm()).isNaN();
            } else {
                assertThat(update.gradientNorm()).isCloseTo(norm, within(1e-9 * norm));
            }
        }
    }

    @Test
    void shouldLeaveEverythingAsItIsWhereNothingHasAWeight() {
        OptimizerSpec adam = OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW);
        try (Replica replica = Samples.replica(TargetKind.VALUE, 1, Precision.FP64);
                Optimizer optimizer = replica.optimizer(adam)) {
            replica.zeroGradients();
            double[] before = doubles(replica.parameters());
            List<double[]> stateBefore = doubles(optimizer);
            new GradientUpdate(replica, optimizer, 0, 1, FACTOR).run();
            assertThat(doubles(replica.parameters())).isEqualTo(before);
            assertThat(doubles(optimizer)).containsExactlyElementsOf(stateBefore);
        }
    }

    private static List<double[]> doubles(Optimizer optimizer) {
        return optimizer.state().stream().map(s -> doubles(s.data())).toList();
    }

    private static double[] doubles(Span span) {
        DoubleBuffer buffer = span.buffer().asDoubleBuffer();
        double[] values = new double[buffer.remaining()];
        buffer.get(values);
        return values;
    }
}
