package dev.medley.tensor.convex;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Fits a linear model by sums over all samples, one trial of {@link Lbfgs} a step. What is
 * minimised is the mean loss plus {@code l1 |w| + weight_decay / 2 |w|^2}; biases are not
 * penalised.
 *
 * <p>Of up to {@link LinearLearner#MOST_WITH_CURVATURE} coefficients second derivatives are
 * gathered in the first step. They show which coefficients cannot be told apart from others, as one
 * category of a one-hot column cannot: these stay 0. And directions begin with their inverse. Where
 * nothing is penalised they are gathered at the minimum, too, where their inverse gives standard
 * errors.
 *
 * <p>All of its state lies in spans; it belongs to the training thread.
 */
public final class LinearFit {
    private static final double BEGINS = 0;
    private static final double FITS = 1;
    private static final double MEASURES = 2;
    private static final double IS_DONE = 3;

    private final LinearLearner learner;
    private final OptimizerSpec options;
    private final Lbfgs minimiser;
    private final int n;
    private final Span phase = Span.allocate(Double.BYTES);
    private final Span aliased;

    /** The factor of the second derivatives of the mean loss at the beginning; may be empty. */
    private final Span bend;

    /** A fit that begins with the learner's parameters, by L-BFGS with these settings. */
    public LinearFit(LinearLearner learner, OptimizerSpec options) {
        this.learner = learner;
        this.options = options;
        n = (int) learner.layout().elements();
        minimiser =
                new Lbfgs(
                        n,
                        learner.penalised(),
                        Objects.requireNonNull(options.quasiNewton(), "of L-BFGS alone"));
        aliased = Span.allocate((long) n * Double.BYTES);
        bend = Span.allocate(learner.canGatherCurvature() ? learner.curvatureBytes() : 0);
    }

    /** What it fits. */
    public LinearLearner learner() {
        return learner;
    }

    /** A step begins: the learner gathers what it needs. */
    public void stepBegins() {
        learner.gatherCurvature(needsCurvature());
    }

    private boolean needsCurvature() {
        return phase() == BEGINS || phase() == MEASURES;
    }

    /**
     * Moves the parameters by what the learner has gathered, summed over all workers.
     *
     * @param weight of all samples
     */
    public void apply(double weight) {
        if (weight == 0 || phase() == IS_DONE) {
            return;
        }
        if (phase() == MEASURES) {
            measure(weight);
            phase(IS_DONE);
            return;
        }
        if (phase() == BEGINS && learner.canGatherCurvature()) {
            begin(weight);
        }
        advance(weight);
        phase(minimiser.done() == null ? FITS : isFree() ? MEASURES : IS_DONE);
    }

    /** Whether standard errors are asked for, and the likelihood alone says the coefficients. */
    private boolean isFree() {
        boolean areAskedFor = !Objects.requireNonNull(options.quasiNewton()).withoutErrors();
        return areAskedFor && learner.canGatherCurvature() && options.weightDecay() == 0;
    }

    private void advance(double weight) {
        double[] parameters = doubles(learner.parameters());
        double[] slopes = learner.gradientSum();
        double[] held = doubles(aliased);
        double decay = options.weightDecay();
        double loss = learner.lossSum() / weight;
        for (int i = 0; i < n; i++) {
            slopes[i] = held[i] == 1 ? 0 : slopes[i] / weight;
            if (decay > 0 && i < learner.penalised()) {
                loss += decay / 2 * parameters[i] * parameters[i];
                slopes[i] += decay * parameters[i];
            }
        }
        minimiser.advance(loss, slopes, parameters, inverse());
        buffer(learner.parameters()).put(0, parameters);
    }

    private void begin(double weight) {
        double[] packed = learner.curvature();
        for (int i = 0; i < packed.length; i++) {
            packed[i] /= weight;
        }
        for (int row = 0; row < learner.penalised(); row++) {
            packed[row * (row + 3) / 2] += options.weightDecay();
        }
        Factor factor = Factor.of(packed, learner.coefficients());
        buffer(bend).put(0, factor.packed());
        double[] held = new double[n];
        for (int row = 0; row < learner.coefficients(); row++) {
            held[learner.place(row)] = factor.isAliased(row) ? 1 : 0;
        }
        buffer(aliased).put(0, held);
    }

    private UnaryOperator<double[]> inverse() {
        if (!learner.canGatherCurvature()) {
            return UnaryOperator.identity();
        }
        int rows = learner.coefficients();
        Factor factor = Factor.again(doubles(bend), rows);
        return flat -> {
            double[] dense = new double[rows];
            for (int row = 0; row < rows; row++) {
                dense[row] = flat[learner.place(row)];
            }
            double[] solved = factor.solve(dense);
            double[] result = new double[flat.length];
            for (int row = 0; row < rows; row++) {
                result[learner.place(row)] = solved[row];
            }
            return result;
        };
    }

    private void measure(double weight) {
        Factor factor = Factor.of(learner.curvature(), learner.coefficients());
        double[] inverse = factor.inverseDiagonal();
        double[] errors = new double[n];
        int free = 0;
        for (double each : inverse) {
            free += Double.isNaN(each) ? 0 : 1;
        }
        double dispersion = learner.dispersion(weight, free);
        for (int row = 0; row < inverse.length; row++) {
            errors[learner.place(row)] = Math.sqrt(inverse[row] * dispersion);
        }
        buffer(learner.errors()).put(0, errors);
    }

    /** Largest element of the gradient at the last step taken. */
    public double norm() {
        return minimiser.norm();
    }

    /** Why the fit has ended, in a sentence; null while it has not. */
    public @Nullable String done() {
        return phase() == IS_DONE ? minimiser.done() : null;
    }

    /** All that it remembers: the spans are the state itself. */
    public List<NamedSpan> state() {
        List<NamedSpan> state = new ArrayList<>(minimiser.state());
        state.add(span("phase", phase));
        state.add(span("aliased", aliased));
        if (bend.bytes() > 0) {
            state.add(span("bend", bend));
        }
        state.add(span("errors", learner.errors()));
        return state;
    }

    private static NamedSpan span(String name, Span span) {
        long[] shape = {span.bytes() / Double.BYTES};
        return new NamedSpan("lbfgs." + name, ElementType.FLOAT64, shape, span);
    }

    private double phase() {
        return buffer(phase).get(0);
    }

    private void phase(double next) {
        buffer(phase).put(0, next);
    }

    private static DoubleBuffer buffer(Span span) {
        return span.buffer().asDoubleBuffer();
    }

    private static double[] doubles(Span span) {
        double[] values = new double[(int) (span.bytes() / Double.BYTES)];
        buffer(span).get(0, values);
        return values;
    }
}
