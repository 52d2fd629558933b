package dev.medley.tensor.convex;

import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Minimises a smooth convex loss, with an L1 penalty if there is one, from trial to trial: it is
 * told loss and gradient at the parameters and says where to look next. Directions are L-BFGS's
 * ({@link QuasiNewton}); how far to go, {@link LineSearch} finds. With L1 it is OWL-QN (Andrew and
 * Gao, ICML 2007): directions follow the pseudo-gradient, and a step does not leave its orthant.
 *
 * <p>A pure function of its state and what it is told, in strict arithmetic: who holds the same
 * spans comes to the same bits.
 */
final class Lbfgs {
    private static final double DECREASE = 1e-4;

    /** Share of the loss by which one of so many steps has to lower it. */
    private static final double DECREASES = 1e-10;

    private static final int MOST_FLAT = 3;

    private static final double SMALLEST_ALPHA = 1e-12;

    private static final int PHASE = 0;
    private static final int NORM = 1;
    private static final int ITERATIONS = 2;
    private static final int LOSS = 3;
    private static final int WHY = 4;
    private static final int FLAT = 5;
    private static final int SEARCH = 6;

    private static final double BEGINS = 0;
    private static final double SEARCHES = 1;
    private static final double IS_DONE = 2;

    private final int n;
    private final int penalised;
    private final OptimizerSpec.QuasiNewton options;
    private final QuasiNewton memory;
    private final Span point;
    private final Span gradient;
    private final Span direction;
    private final Span scalars;
    private UnaryOperator<double[]> inverse = UnaryOperator.identity();

    /**
     * Of {@code n} parameters.
     *
     * @param penalised those from the first on that L1 counts
     */
    Lbfgs(int n, int penalised, OptimizerSpec.QuasiNewton options) {
        this.n = n;
        this.penalised = penalised;
        this.options = options;
        memory = new QuasiNewton(n, options.history());
        point = Span.allocate((long) n * Double.BYTES);
        gradient = Span.allocate((long) n * Double.BYTES);
        direction = Span.allocate((long) n * Double.BYTES);
        scalars = Span.allocate((SEARCH + LineSearch.SIZE) * (long) Double.BYTES);
    }

    /** The largest element of the (pseudo-)gradient at the last step taken. */
    double norm() {
        return doubles(scalars).get(NORM);
    }

    /** Whether the first loss is still to be told. */
    boolean isBeginning() {
        return doubles(scalars).get(PHASE) == BEGINS;
    }

    /** Why it is done, in a sentence; null while it is not. */
    @Nullable String done() {
        DoubleBuffer s = doubles(scalars);
        if (s.get(PHASE) != IS_DONE) {
            return null;
        }
        String[] reasons = {
            "the largest element of the gradient is %.2g, at most %.2g"
                    .formatted(s.get(NORM), options.tolerance()),
            ("the last three steps lowered the loss by less than %.0e of itself each; the"
                            + " largest element of the gradient is %.2g")
                    .formatted(DECREASES, s.get(NORM)),
            "no step lowers the loss by what can be computed; the largest element of the gradient is %.2g"
                    .formatted(s.get(NORM))
        };
        return "converged in %d iterations: %s"
                .formatted((int) s.get(ITERATIONS), reasons[(int) s.get(WHY)]);
    }

    /**
     * Takes a loss and its gradient at parameters, and moves these to where to look next, or where
     * the minimum is.
     *
     * @param loss smooth part; the L1 penalty is added here
     * @param inverse multiplies by an inverse of second derivatives that is known, the same each
     *     time; else gives back what it is given
     */
    void advance(
            double loss, double[] slopes, double[] parameters, UnaryOperator<double[]> inverse) {
        this.inverse = inverse;
        double[] s = array(scalars, SEARCH + LineSearch.SIZE);
        double[] search = new double[LineSearch.SIZE];
        System.arraycopy(s, SEARCH, search, 0, search.length);
        LineSearch line = new LineSearch(search);
        double whole = loss + l1(parameters);
        if (s[PHASE] == BEGINS) {
            s[PHASE] = SEARCHES;
            accept(s, line, whole, slopes, parameters);
        } else if (s[PHASE] == SEARCHES) {
            search(s, line, whole, slopes, parameters);
        }
        System.arraycopy(search, 0, s, SEARCH, search.length);
        doubles(scalars).put(0, s);
    }

    private void search(
            double[] s, LineSearch line, double loss, double[] slopes, double[] parameters) {
        double[] from = array(point, n);
        double[] along = array(direction, n);
        double[] before = array(gradient, n);
        LineSearch.Answer answer =
                options.l1() == 0
                        ? line.tried(loss, QuasiNewton.dot(slopes, along))
                        : backtracked(line, loss, pseudo(before, from), from, parameters);
        switch (answer) {
            case TAKE -> {
                double[] step = new double[n];
                double[] change = new double[n];
                for (int i = 0; i < n; i++) {
                    step[i] = parameters[i] - from[i];
                    change[i] = slopes[i] - before[i];
                }
                memory.remember(step, change);
                s[ITERATIONS]++;
                double fell = line.lossBefore() - loss;
                boolean isFlat = fell <= DECREASES * Math.abs(loss);
                s[FLAT] = isFlat ? s[FLAT] + 1 : 0;
                accept(s, line, loss, slopes, parameters);
                if (s[FLAT] == MOST_FLAT && s[PHASE] != IS_DONE) {
                    end(s, 1, parameters);
                }
            }
            case TRY -> move(line.alpha(), from, along, before, parameters);
            case FAIL -> end(s, 2, parameters);
        }
    }

    /** Armijo's condition along a projected path: half as far, until the loss falls enough. */
    private static LineSearch.Answer backtracked(
            LineSearch line, double loss, double[] pseudo, double[] from, double[] parameters) {
        double expected = 0;
        for (int i = 0; i < from.length; i++) {
            expected += pseudo[i] * (parameters[i] - from[i]);
        }
        if (loss <= line.lossBefore() + DECREASE * expected) {
            return LineSearch.Answer.TAKE;
        }
        line.shorten();
        return line.alpha() < SMALLEST_ALPHA ? LineSearch.Answer.FAIL : LineSearch.Answer.TRY;
    }

    /** The parameters are the next point; from it goes the next direction. */
    private void accept(
            double[] s, LineSearch line, double loss, double[] slopes, double[] parameters) {
        doubles(point).put(0, parameters);
        doubles(gradient).put(0, slopes);
        s[LOSS] = loss;
        double[] pseudo = pseudo(slopes, parameters);
        s[NORM] = largest(pseudo);
        if (s[NORM] <= options.tolerance()) {
            end(s, 0, parameters);
            return;
        }
        double[] along = memory.direction(pseudo, inverse);
        keepSigns(along, pseudo);
        if (!(QuasiNewton.dot(along, pseudo) < 0)) {
            memory.forget();
            along = memory.direction(pseudo, inverse);
        }
        doubles(direction).put(0, along);
        // Until it is known how the loss bends, a step is no longer than 1.
        double first = s[ITERATIONS] == 0 ? Math.min(1, 1 / sumOf(along)) : 1;
        line.begin(loss, QuasiNewton.dot(along, pseudo), first);
        move(first, parameters.clone(), along, slopes, parameters);
    }

    private void end(double[] s, int why, double[] parameters) {
        s[PHASE] = IS_DONE;
        s[WHY] = why;
        doubles(point).get(0, parameters);
    }

    /** With L1 a parameter does not cross 0, and one at 0 leaves it against its pseudo-gradient. */
    private void move(
            double alpha, double[] from, double[] along, double[] slopes, double[] parameters) {
        double[] pseudo = options.l1() == 0 ? slopes : pseudo(slopes, from);
        for (int i = 0; i < n; i++) {
            double next = from[i] + alpha * along[i];
            if (isPenalised(i)) {
                double orthant = from[i] != 0 ? Math.signum(from[i]) : -Math.signum(pseudo[i]);
                next = next * orthant > 0 ? next : 0;
            }
            parameters[i] = next;
        }
    }

    private void keepSigns(double[] along, double[] pseudo) {
        for (int i = 0; i < n; i++) {
            if (isPenalised(i) && along[i] * pseudo[i] >= 0) {
                along[i] = 0;
            }
        }
    }

    private boolean isPenalised(int i) {
        return options.l1() > 0 && i < penalised;
    }

    /** The derivative towards where the penalised loss falls most (Andrew and Gao, equation 4). */
    private double[] pseudo(double[] slopes, double[] at) {
        double[] pseudo = slopes.clone();
        for (int i = 0; i < n; i++) {
            if (isPenalised(i)) {
                double up = slopes[i] + options.l1();
                double down = slopes[i] - options.l1();
                pseudo[i] = at[i] > 0 ? up : at[i] < 0 ? down : up < 0 ? up : down > 0 ? down : 0;
            }
        }
        return pseudo;
    }

    private double l1(double[] parameters) {
        double sum = 0;
        for (int i = 0; i < penalised && options.l1() > 0; i++) {
            sum += Math.abs(parameters[i]);
        }
        return options.l1() * sum;
    }

    private static double largest(double[] values) {
        double largest = 0;
        for (double value : values) {
            largest = Math.max(largest, Math.abs(value));
        }
        return largest;
    }

    private static double sumOf(double[] values) {
        double sum = 0;
        for (double value : values) {
            sum += Math.abs(value);
        }
        return sum;
    }

    private static DoubleBuffer doubles(Span span) {
        return span.buffer().asDoubleBuffer();
    }

    private static double[] array(Span span, int count) {
        double[] values = new double[count];
        doubles(span).get(0, values);
        return values;
    }

    /** All that it remembers; the spans are the state itself. */
    List<NamedSpan> state() {
        List<NamedSpan> state = new ArrayList<>(memory.state());
        state.add(span("point", point));
        state.add(span("gradient", gradient));
        state.add(span("direction", direction));
        state.add(span("scalars", scalars));
        return state;
    }

    private static NamedSpan span(String name, Span span) {
        long[] shape = {span.bytes() / Double.BYTES};
        return new NamedSpan("lbfgs." + name, ElementType.FLOAT64, shape, span);
    }
}
