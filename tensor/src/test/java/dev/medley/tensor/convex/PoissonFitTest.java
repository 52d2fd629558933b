package dev.medley.tensor.convex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.Signature;
import dev.medley.base.job.Signature.Link;
import dev.medley.base.job.Signature.Target;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.tensor.Formula;
import dev.medley.tensor.Shapes;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Compares a Poisson regression with scikit-learn's PoissonRegressor without a penalty, and its
 * standard errors with the inverse of Fisher's information at the minimum, for the same samples.
 */
@Tag("unit")
class PoissonFitTest {
    private static final int SAMPLES = 200;
    private static final double MEAN = 4.495;
    private static final double[] WEIGHTS = {1.64754636416947, -0.9417085085038632, 0.455750981829};
    private static final double INTERCEPT = 0.8430204027328464;
    private static final double DEVIANCE = 2.1937946552978915;
    private static final Batch COUNTS = counts();
    private static final Signature SIGNATURE =
            new Signature(
                    Shapes.rows(3, TargetKind.VALUE).inputs(),
                    new Target(TargetKind.VALUE, 1, List.of(), MEAN, 5, Link.LOG));

    private static Batch counts() {
        HostArray rows = Formula.floats(1, SAMPLES, 3);
        HostArray target = HostArray.allocate(ElementType.FLOAT32, SAMPLES);
        FloatBuffer x = rows.data().buffer().asFloatBuffer();
        for (int r = 0; r < SAMPLES; r++) {
            double eta = 1.5 * x.get(3 * r) - x.get(3 * r + 1) + 0.5 * x.get(3 * r + 2) + 0.3;
            double count = Math.floor(4 * Formula.unit(r, 2) * Math.exp(eta));
            target.data().buffer().asFloatBuffer().put(r, (float) count);
        }
        return new Batch(List.of(rows), target, SAMPLES);
    }

    @Test
    void coefficientsAndErrorsShouldBeThoseOfTheLikelihood() {
        LinearLearner learner = new LinearLearner(LossSpec.auto(), SIGNATURE, true);
        LinearFit fit = new LinearFit(learner, OptimizerSpec.defaults(OptimizerSpec.Kind.LBFGS));
        for (int step = 1; step < 100 && fit.done() == null; step++) {
            fit.stepBegins();
            learner.begin();
            learner.take(COUNTS, step, 0, ReadyListener.NONE);
            fit.apply(SAMPLES);
        }
        assertThat(fit.done()).startsWith("converged in ");
        DoubleBuffer found = learner.parameters().buffer().asDoubleBuffer();
        for (int i = 0; i < WEIGHTS.length; i++) {
            assertThat(found.get(i)).isCloseTo(WEIGHTS[i], within(1e-5));
        }
        assertThat(found.get(learner.place(3)) + Math.log(MEAN)).isCloseTo(INTERCEPT, within(1e-5));
        DoubleBuffer errors = learner.errors().buffer().asDoubleBuffer();
        assertThat(errors.get(0)).isCloseTo(0.0757523935507481, within(1e-5));
        assertThat(errors.get(learner.place(3))).isCloseTo(0.05418401780854644, within(1e-5));
        assertThat(learner.evaluate(COUNTS).lossSum() / SAMPLES)
                .isCloseTo(DEVIANCE / 2, within(1e-9));
    }

    /** The network's outputs are rates, and its loss and gradient those of the likelihood. */
    @Test
    void aNetworkShouldMinimiseTheSame() {
        try (Replica replica =
                Replica.build(
                        new ModelSpec.Linear(),
                        LossSpec.auto(),
                        List.of(),
                        SIGNATURE,
                        ReplicaOptions.of(1, Precision.FP64))) {
            DoubleBuffer parameters = replica.parameters().buffer().asDoubleBuffer();
            for (int i = 0; i < WEIGHTS.length; i++) {
                parameters.put(i, WEIGHTS[i]);
            }
            int bias = (int) replica.layout().slots().get(1).offset();
            parameters.put(bias, INTERCEPT - Math.log(MEAN));
            replica.zeroGradients();
            replica.forwardBackward(COUNTS, 1, 0, ReadyListener.NONE);
            DoubleBuffer gradient = replica.gradients().buffer().asDoubleBuffer();
            for (int i : new int[] {0, 1, 2, bias}) {
                assertThat(gradient.get(i)).isCloseTo(0, within(1e-6));
            }
            var block = replica.evaluate(COUNTS);
            assertThat(block.lossSum() / SAMPLES).isCloseTo(DEVIANCE / 2, within(1e-6));
            FloatBuffer rates = block.outputs().data().buffer().asFloatBuffer();
            double sum = 0;
            for (int r = 0; r < SAMPLES; r++) {
                sum += rates.get(r);
            }
            assertThat(sum / SAMPLES).as("mean of rates").isCloseTo(MEAN, within(1e-4));
        }
    }
}
