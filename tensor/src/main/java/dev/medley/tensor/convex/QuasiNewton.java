package dev.medley.tensor.convex;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import java.nio.DoubleBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Approximates the inverse of the second derivatives by the last steps and by how the gradient
 * changed in them: L-BFGS (Nocedal and Wright 2006, algorithm 7.4, the two-loop recursion). Cost: 4
 * m n multiplications a direction. Where the second derivatives at the beginning are known their
 * inverse is what the steps correct, else a multiple of one.
 *
 * <p>All that it remembers lies in spans, to be copied and saved.
 */
final class QuasiNewton {
    private final int n;
    private final int most;
    private final Span steps;
    private final Span changes;
    private final Span counts = Span.allocate(Double.BYTES);

    /** For {@code n} parameters, with the last {@code most} steps. */
    QuasiNewton(int n, int most) {
        this.n = n;
        this.most = most;
        steps = Span.allocate((long) most * n * Double.BYTES);
        changes = Span.allocate((long) most * n * Double.BYTES);
    }

    private int taken() {
        return (int) counts.buffer().asDoubleBuffer().get(0);
    }

    /** Remembers a step, unless the loss does not bend upwards along it. */
    void remember(double[] step, double[] change) {
        if (dot(step, change) <= 1e-12 * dot(change, change)) {
            return;
        }
        int at = taken() % most;
        doubles(steps).put(at * n, step);
        doubles(changes).put(at * n, change);
        counts.buffer().asDoubleBuffer().put(0, taken() + 1.0);
    }

    /** Forgets all steps. */
    void forget() {
        counts.buffer().asDoubleBuffer().put(0, 0);
    }

    /**
     * Minus the approximate inverse times a gradient.
     *
     * @param first multiplies by the inverse that the steps correct
     */
    double[] direction(double[] gradient, UnaryOperator<double[]> first) {
        int last = taken();
        int from = Math.max(0, last - most);
        List<double[]> s = new ArrayList<>();
        List<double[]> y = new ArrayList<>();
        for (int i = from; i < last; i++) {
            s.add(row(steps, i % most));
            y.add(row(changes, i % most));
        }
        double[] q = gradient.clone();
        double[] alphas = new double[s.size()];
        for (int i = s.size() - 1; i >= 0; i--) {
            alphas[i] = dot(s.get(i), q) / dot(s.get(i), y.get(i));
            addTo(q, -alphas[i], y.get(i));
        }
        q = first.apply(q);
        if (!s.isEmpty()) {
            double[] newest = y.get(y.size() - 1);
            double scale = dot(s.get(s.size() - 1), newest) / dot(newest, first.apply(newest));
            for (int i = 0; i < n; i++) {
                q[i] *= scale;
            }
        }
        for (int i = 0; i < s.size(); i++) {
            double beta = dot(y.get(i), q) / dot(s.get(i), y.get(i));
            addTo(q, alphas[i] - beta, s.get(i));
        }
        for (int i = 0; i < n; i++) {
            q[i] = -q[i];
        }
        return q;
    }

    private double[] row(Span rows, int at) {
        double[] row = new double[n];
        doubles(rows).get(at * n, row);
        return row;
    }

    private static DoubleBuffer doubles(Span span) {
        return span.buffer().asDoubleBuffer();
    }

    List<NamedSpan> state() {
        return List.of(
                new NamedSpan("lbfgs.steps", ElementType.FLOAT64, new long[] {most, n}, steps),
                new NamedSpan("lbfgs.changes", ElementType.FLOAT64, new long[] {most, n}, changes),
                new NamedSpan("lbfgs.count", ElementType.FLOAT64, new long[] {1}, counts));
    }

    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    private static void addTo(double[] a, double factor, double[] b) {
        for (int i = 0; i < a.length; i++) {
            a[i] += factor * b[i];
        }
    }
}
