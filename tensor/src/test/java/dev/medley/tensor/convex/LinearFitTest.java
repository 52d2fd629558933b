package dev.medley.tensor.convex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.base.ConfigException;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.OptimizerSpec.Kind;
import dev.medley.base.job.OptimizerSpec.QuasiNewton;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.job.TrainSpec.LossKind;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.tensor.Formula;
import dev.medley.tensor.Shapes;
import dev.medley.tensor.model.ReadyListener;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import dev.medley.tensor.optimizer.Optimizer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares coefficients with those that statsmodels 0.14 (Logit, OLS), scikit-learn 1.7
 * (LogisticRegression; saga with L1) and SciPy's BFGS found for the same 200 samples of {@link
 * Formula}, each to a tolerance of 1e-12.
 */
@Tag("unit")
class LinearFitTest {
    private static final int SAMPLES = 200;
    private static final HostArray ROWS = Formula.floats(1, SAMPLES, 3);
    private static final OptimizerSpec FREE = OptimizerSpec.defaults(Kind.LBFGS);

    private static double score(int row) {
        FloatBuffer rows = ROWS.data().buffer().asFloatBuffer();
        return 1.5 * rows.get(3 * row) - rows.get(3 * row + 1) + 0.5 * rows.get(3 * row + 2) + 0.3;
    }

    private static Batch batch(TargetKind kind) {
        boolean isClass = kind == TargetKind.CLASSES;
        ElementType type = isClass ? ElementType.INT64 : ElementType.FLOAT32;
        HostArray target = HostArray.allocate(type, SAMPLES);
        for (int r = 0; r < SAMPLES; r++) {
            double eta = score(r);
            if (isClass) {
                double[] scores = {
                    eta + Formula.signed(r, 4),
                    -eta + Formula.signed(r, 5),
                    0.2 + Formula.signed(r, 6)
                };
                int best = scores[0] >= scores[1] ? 0 : 1;
                target.data().buffer().asLongBuffer().put(r, scores[best] >= scores[2] ? best : 2);
            } else {
                double value =
                        kind == TargetKind.VALUE
                                ? eta + 0.7 * Formula.signed(r, 3)
                                : Formula.unit(r, 2) < 1 / (1 + Math.exp(-eta)) ? 1 : 0;
                target.data().buffer().asFloatBuffer().put(r, (float) value);
            }
        }
        return new Batch(List.of(ROWS), target, SAMPLES);
    }

    /** Workers of a group, which sum what they gathered in the order of their ranks. */
    private static List<LinearFit> fit(
            LossKind loss, TargetKind kind, OptimizerSpec options, Batch batch, int... shares) {
        List<LinearFit> fits = new ArrayList<>();
        for (int share : shares) {
            boolean isSmooth = quasiNewton(options).l1() == 0;
            LossSpec spec = new LossSpec(loss, null);
            int features = (int) batch.inputs().get(0).shape()[1];
            var signature =
                    kind == TargetKind.CLASSES
                            ? Shapes.rows(features, 3)
                            : Shapes.rows(features, kind);
            fits.add(new LinearFit(new LinearLearner(spec, signature, isSmooth), options));
        }
        for (int step = 1; step < 500 && fits.get(0).done() == null; step++) {
            sum(fits, batch, shares);
            fits.forEach(each -> each.apply(batch.samples()));
        }
        assertThat(fits.get(0).done()).startsWith("converged in ");
        return fits;
    }

    private static QuasiNewton quasiNewton(OptimizerSpec options) {
        return Objects.requireNonNull(options.quasiNewton());
    }

    private static void sum(List<LinearFit> fits, Batch batch, int... shares) {
        long bytes = fits.get(0).learner().accumulatorLayout().gradientBytes();
        Span sum = Span.allocate(bytes);
        int from = 0;
        for (int rank = 0; rank < shares.length; rank++) {
            LinearLearner learner = fits.get(rank).learner();
            Span own = Span.allocate(bytes);
            learner.bindAccumulators(own);
            fits.get(rank).stepBegins();
            learner.begin();
            int middle = from + shares[rank] / 3;
            int to = from + shares[rank];
            var one = learner.take(batch.rows(from, middle), 1, 0, ReadyListener.NONE);
            var two = learner.take(batch.rows(middle, to), 1, 0, ReadyListener.NONE);
            assertThat(one.weight() + two.weight()).isEqualTo(shares[rank]);
            DoubleBuffer into = sum.buffer().asDoubleBuffer();
            for (int i = 0; i < into.limit(); i++) {
                into.put(i, into.get(i) + own.buffer().asDoubleBuffer().get(i));
            }
            from = to;
        }
        fits.forEach(fit -> fit.learner().bindAccumulators(sum));
    }

    private static double[] array(LinearFit fit, String name) {
        NamedSpan found =
                fit.learner().export().stream()
                        .filter(array -> array.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        double[] values = new double[(int) (found.data().bytes() / Double.BYTES)];
        found.data().buffer().asDoubleBuffer().get(values);
        return values;
    }

    private static void assertClose(double[] found, double... expected) {
        assertThat(found).containsExactly(expected, within(1e-5));
    }

    private static OptimizerSpec penalised(double l1, double l2) {
        return FREE.with(new QuasiNewton(10, 1e-8, l1)).withWeightDecay(l2);
    }

    @Test
    void standardErrorsThatNobodyAsksForShouldNotBeComputed() {
        Batch batch = batch(TargetKind.BINARY);
        QuasiNewton usual = quasiNewton(FREE);
        OptimizerSpec less =
                FREE.with(new QuasiNewton(usual.history(), usual.tolerance(), usual.l1(), true));
        LinearFit with = fit(LossKind.AUTO, TargetKind.BINARY, FREE, batch, SAMPLES).get(0);
        LinearFit without = fit(LossKind.AUTO, TargetKind.BINARY, less, batch, SAMPLES).get(0);
        assertThat(array(without, "0.weight")).containsExactly(array(with, "0.weight"));
        assertThat(with.learner().export()).hasSize(4);
        assertThat(without.learner().export()).hasSize(2);
    }

    @Test
    void logisticRegressionShouldBeThatOfStatsmodels() {
        Batch batch = batch(TargetKind.BINARY);
        LinearFit fit = fit(LossKind.AUTO, TargetKind.BINARY, FREE, batch, SAMPLES).get(0);
        assertClose(
                array(fit, "0.weight"), 1.5988933065651967, -0.967158708602659, 0.5086762078963478);
        assertClose(array(fit, "0.bias"), 0.184757742159895);
        assertClose(
                array(fit, "0.weight.standard_error"),
                0.3002920328187787,
                0.30023179222769153,
                0.2818206117342984);
        assertClose(array(fit, "0.bias.standard_error"), 0.16011297431345273);
        assertThat(fit.done()).contains("the largest element of the gradient is");
    }

    @Test
    void leastSquaresShouldBeThoseOfStatsmodels() {
        Batch batch = batch(TargetKind.VALUE);
        LinearFit fit = fit(LossKind.AUTO, TargetKind.VALUE, FREE, batch, SAMPLES).get(0);
        assertClose(
                array(fit, "0.weight"),
                1.6075598495234122,
                -1.0333701411999792,
                0.5087463464854429);
        assertClose(array(fit, "0.bias"), 0.29116626723501515);
        assertClose(
                array(fit, "0.weight.standard_error"),
                0.05011674938604411,
                0.05145373108364697,
                0.05096228461061066);
        assertClose(array(fit, "0.bias.standard_error"), 0.029157626673259947);
    }

    @Test
    void penaltiesShouldBeThoseOfScikitLearn() {
        Batch batch = batch(TargetKind.BINARY);
        LinearFit l2 =
                fit(LossKind.AUTO, TargetKind.BINARY, penalised(0, 0.01), batch, SAMPLES).get(0);
        assertClose(
                array(l2, "0.weight"), 1.3360513057332715, -0.7826467965656428, 0.4257073232451555);
        assertClose(array(l2, "0.bias"), 0.1715374823165837);
        LinearFit l1 =
                fit(LossKind.AUTO, TargetKind.BINARY, penalised(0.05, 0), batch, SAMPLES).get(0);
        assertClose(array(l1, "0.weight"), 0.7341871471117859, -0.13301224438017262, 0);
        assertThat(array(l1, "0.weight")[2]).isZero();
        assertClose(array(l1, "0.bias"), 0.15158030761634553);
        LinearFit both =
                fit(LossKind.AUTO, TargetKind.BINARY, penalised(0.05, 0.01), batch, SAMPLES).get(0);
        assertClose(array(both, "0.weight"), 0.6501635390975969, -0.11290251073677077, 0);
        assertClose(array(both, "0.bias"), 0.15183523847912211);
        assertThat(both.learner().export()).hasSize(2);
        assertThat(l2.learner().export()).as("penalised ones have no standard errors").hasSize(2);
    }

    /** SGD that shrinks weights after each step comes to the same minimum as OWL-QN. */
    @Test
    void stepsThatShrinkWeightsShouldComeToTheSameMinimum() {
        Batch batch = batch(TargetKind.BINARY);
        OptimizerSpec sgd = OptimizerSpec.defaults(Kind.SGD).withLearningRate(2).withL1(0.05);
        try (Replica replica =
                        Replica.build(
                                new ModelSpec.Linear(),
                                new LossSpec(LossKind.AUTO, null),
                                List.of(),
                                Shapes.rows(3, TargetKind.BINARY),
                                ReplicaOptions.of(1, Precision.FP64));
                Optimizer optimizer = replica.optimizer(sgd)) {
            for (int step = 1; step <= 200; step++) {
                replica.zeroGradients();
                replica.forwardBackward(batch, step, 0, ReadyListener.NONE);
                optimizer.apply(1, SAMPLES, 1);
            }
            DoubleBuffer found = replica.parameters().buffer().asDoubleBuffer();
            assertThat(found.get(0)).isCloseTo(0.7341871471117859, within(1e-6));
            assertThat(found.get(1)).isCloseTo(-0.13301224438017262, within(1e-6));
            assertThat(found.get(2)).isZero();
            int bias = (int) replica.layout().slots().get(1).offset();
            assertThat(found.get(bias)).isCloseTo(0.15158030761634553, within(1e-6));
        }
    }

    @Test
    void severalClassesShouldBeThoseOfScikitLearn() {
        Batch batch = batch(TargetKind.CLASSES);
        LinearFit fit =
                fit(LossKind.AUTO, TargetKind.CLASSES, penalised(0, 0.01), batch, SAMPLES).get(0);
        assertClose(
                array(fit, "0.weight"),
                1.986397897605108,
                -1.3033745340257092,
                0.498624014940637,
                -1.9800904639038814,
                1.2596070075180335,
                -0.5826323495604906,
                -0.006307433701227162,
                0.04376752650767593,
                0.08400833461985317);
        assertClose(
                array(fit, "0.bias"), 0.3844061460484424, -0.5227799351230309, 0.13837378907458955);
    }

    @Test
    void squaredHingeShouldBeThatOfSciPy() {
        Batch batch = batch(TargetKind.BINARY);
        LinearFit fit =
                fit(LossKind.SQUARED_HINGE, TargetKind.BINARY, penalised(0, 0.01), batch, SAMPLES)
                        .get(0);
        assertClose(
                array(fit, "0.weight"),
                0.6559195902058318,
                -0.3724488826429651,
                0.19816388709925398);
        assertClose(array(fit, "0.bias"), 0.06594376090361469);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.02})
    @Tag("property")
    void sharesShouldNotChangeABit(double l1) {
        Batch batch = batch(TargetKind.BINARY);
        OptimizerSpec options = penalised(l1, 0);
        int[][] groups = {{200}, {120, 80}, {1, 198, 1}, {0, 37, 90, 73}};
        double[] alone = null;
        for (int[] shares : groups) {
            List<LinearFit> fits = fit(LossKind.AUTO, TargetKind.BINARY, options, batch, shares);
            double[] weights = array(fits.get(0), "0.weight");
            for (LinearFit each : fits) {
                assertThat(array(each, "0.weight")).isEqualTo(weights);
            }
            alone = alone == null ? weights : alone;
            assertThat(weights).as(Arrays.toString(shares)).isEqualTo(alone);
        }
    }

    /** The columns of one-hot vectors and the bias say one thing twice. */
    @Test
    void coefficientsThatCannotBeToldApartShouldStayZero() {
        Batch given = batch(TargetKind.BINARY);
        HostArray rows = HostArray.allocate(ElementType.FLOAT32, SAMPLES, 6);
        FloatBuffer into = rows.data().buffer().asFloatBuffer();
        for (int r = 0; r < SAMPLES; r++) {
            into.put(6 * r + 1 + r % 3, 1);
            into.put(6 * r, ROWS.data().buffer().asFloatBuffer().get(3 * r));
            into.put(6 * r + 4, r % 7);
            into.put(6 * r + 5, 2 * (r % 7) + 1);
        }
        Batch batch = new Batch(List.of(rows), given.target(), SAMPLES);
        LinearFit fit = fit(LossKind.AUTO, TargetKind.BINARY, FREE, batch, SAMPLES).get(0);
        double[] weights = array(fit, "0.weight");
        double[] errors = array(fit, "0.weight.standard_error");
        assertThat(weights[1]).as("the first of the categories").isZero();
        assertThat(errors[1]).isNaN();
        assertThat(weights[4]).as("follows from the column behind it").isZero();
        assertThat(errors[4]).isNaN();
        IntStream.of(0, 2, 3, 5).forEach(i -> assertThat(errors[i]).isBetween(0.01, 1.0));
    }

    @Test
    void aLossThatIsNotSmoothShouldBeRefused() {
        assertThatThrownBy(
                        () ->
                                new LinearLearner(
                                        new LossSpec(LossKind.HINGE, null),
                                        Shapes.rows(3, TargetKind.BINARY),
                                        true))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "train.loss=hinge does not go with optimizer lbfgs of two classes: it"
                                + " minimises binary-cross-entropy or squared-hinge");
    }

    /** A minimum far away along a narrow valley. */
    @Test
    void theSearchShouldEndWhereTheGradientIsZero() {
        Lbfgs minimiser = new Lbfgs(2, 0, new QuasiNewton(5, 1e-9, 0));
        double[] x = {-1.2, 1};
        int trials = 0;
        while (minimiser.done() == null && trials++ < 200) {
            double a = 1 - x[0];
            double b = x[1] - x[0] * x[0];
            double[] slopes = {-2 * a - 400 * x[0] * b, 200 * b};
            minimiser.advance(a * a + 100 * b * b, slopes, x, UnaryOperator.identity());
        }
        assertThat(x).containsExactly(new double[] {1, 1}, within(1e-8));
        assertThat(trials).isLessThan(80);
        assertThat(minimiser.done()).startsWith("converged in ").contains("at most 1.0e-09");
    }
}
