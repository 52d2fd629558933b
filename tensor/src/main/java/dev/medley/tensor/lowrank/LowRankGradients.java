package dev.medley.tensor.lowrank;

import dev.medley.base.Seeds;
import dev.medley.base.memory.Span;
import dev.medley.tensor.Autograd;
import dev.medley.tensor.FlatBuffer;
import dev.medley.tensor.MemoryScope;
import dev.medley.tensor.Tensor;
import dev.medley.tensor.lowrank.FactorLayout.Matrix;
import dev.medley.tensor.lowrank.FactorLayout.Other;
import dev.medley.tensor.optimizer.StrictMemory;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Computes one worker's part in PowerSGD (Vogels, Karimireddy, Jaggi 2019, arXiv 1905.13727,
 * algorithms 1 and 2), for sums in the place of means. For each matrix, with G_i worker i's
 * gradient and e_i what it left out before:
 *
 * <pre>
 *     M_i = G_i + e_i;  P = sum(M_i Q);  P = orthonormal(P)         {@link #project}, {@link #turn}
 *     Q_i = M_i^T P;    Q = sum(Q_i);    e_i = M_i - P Q_i^T        {@link #turn}, {@link #keepRest}
 *     the sum of all M_i is taken for P Q^T                         {@link #restore}
 * </pre>
 *
 * <p>Results that must agree on all workers are computed in plain Java; LibTorch multiplies what is
 * a worker's own. As the sum of all e_i is the sum of all M_i less P Q^T, nothing is lost, whatever
 * the shares. Q, made orthonormal, is where the next step begins: one step of the power method for
 * each step of training. A step writes beside what it began with, until {@link #applied()}. Each
 * sum has a unit, the number that it is divided by, which differs from step to step: e_i is scaled
 * from the unit of its own step to that of the next.
 *
 * <p>Three products of r n m multiplications for each matrix, and a fourth for e_i, which is not
 * waited for. Owns 2 n m + 3 r m elements of native memory for each.
 */
public final class LowRankGradients implements AutoCloseable {
    /** Elements of a matrix that are written at once. */
    private static final int STRETCH = 4096;

    private static final int LEFT = 0;
    private static final int RIGHT = 1;

    private final FactorLayout layout;
    private final long seed;

    // Memory of others: the gradients, and the factors on their way.
    private final FlatBuffer gradients;
    private final FlatBuffer left;
    private final FlatBuffer right;
    private final FlatBuffer others;

    // What the next step begins with, and beside it what the step under way leaves.
    private FlatBuffer rest;
    private FlatBuffer nextRest;
    private FlatBuffer start;
    private FlatBuffer nextStart;

    private final FlatBuffer ownRight;
    private long step;
    private double unit = 1;
    private double restUnit = 1;

    /**
     * Nothing left out yet, and directions that follow from the seed.
     *
     * @param gradients the flat gradients
     * @param factors {@link FactorLayout#bytes()} long
     * @param seed equal on all workers
     */
    public LowRankGradients(FactorLayout layout, Span gradients, Span factors, long seed) {
        this.layout = layout;
        this.seed = seed;
        this.gradients = FlatBuffer.over(layout.type(), gradients);
        long behindRight = layout.rightOffset() + layout.rightBytes();
        this.left = over(factors, 0, layout.leftBytes());
        this.right = over(factors, layout.rightOffset(), layout.rightBytes());
        this.others = over(factors, behindRight, layout.otherBytes());
        long elements = layout.matrixElements();
        long rightElements = layout.rightBytes() / layout.type().bytes();
        this.rest = FlatBuffer.allocate(layout.type(), elements);
        this.nextRest = FlatBuffer.allocate(layout.type(), elements);
        this.start = FlatBuffer.allocate(layout.type(), rightElements);
        this.nextStart = FlatBuffer.allocate(layout.type(), rightElements);
        this.ownRight = FlatBuffer.allocate(layout.type(), rightElements);
        drawStart();
    }

    private FlatBuffer over(Span factors, long offset, long bytes) {
        return FlatBuffer.over(layout.type(), factors.slice(offset, bytes));
    }

    private void drawStart() {
        for (int i = 0; i < layout.matrices().size(); i++) {
            Matrix matrix = layout.matrices().get(i);
            double[][] columns = new double[layout.rank()][matrix.columns()];
            RandomGenerator random = Seeds.generator(seed, i);
            for (double[] column : columns) {
                Orthonormal.draw(column, random);
            }
            Orthonormal.make(columns, random);
            write(columns, start, matrix.right());
        }
    }

    /**
     * Begins a step with complete gradients: adds what was left out to them, and leaves M_i Q in
     * the left factors, to be summed.
     *
     * @param ofSum what the sum will be divided by; 0 where nothing will be applied
     */
    public void project(long ofStep, double ofSum) {
        step = ofStep;
        unit = ofSum;
        try (MemoryScope scope = MemoryScope.open();
                Autograd.Switch off = Autograd.withoutGradient()) {
            long at = 0;
            for (Matrix matrix : layout.matrices()) {
                gradients
                        .slice(matrix.offset(), matrix.count())
                        .add(rest.slice(at, matrix.count()).times(unit / restUnit));
                Tensor transposed = gradient(matrix).transpose(0, 1);
                leftOf(matrix).setProduct(rightOf(matrix, start), transposed);
                at += matrix.count();
            }
        }
    }

    /**
     * The left factors are summed: makes them orthonormal, and leaves M_i^T P in the right factors,
     * and beside them the gradients that travel as they are, to be summed.
     */
    public void turn() {
        for (int i = 0; i < layout.matrices().size(); i++) {
            Matrix matrix = layout.matrices().get(i);
            double[][] columns = read(left, matrix.left(), matrix.rows());
            Orthonormal.make(columns, Seeds.generator(seed, step, i, LEFT));
            write(columns, left, matrix.left());
        }
        try (MemoryScope scope = MemoryScope.open();
                Autograd.Switch off = Autograd.withoutGradient()) {
            for (Matrix matrix : layout.matrices()) {
                Tensor own = rightOf(matrix, ownRight);
                own.setProduct(leftOf(matrix), gradient(matrix));
                rightOf(matrix, right).set(own);
            }
            for (Other other : layout.others()) {
                others.slice(other.at(), other.count())
                        .set(gradients.slice(other.offset(), other.count()));
            }
        }
    }

    /** Keeps what this worker's own factors lack; while the right factors travel. */
    public void keepRest() {
        try (MemoryScope scope = MemoryScope.open();
                Autograd.Switch off = Autograd.withoutGradient()) {
            long at = 0;
            for (Matrix matrix : layout.matrices()) {
                Tensor kept = nextRest.slice(at, matrix.count());
                kept.set(gradients.slice(matrix.offset(), matrix.count()));
                Tensor columns = leftOf(matrix).transpose(0, 1);
                kept.view(matrix.rows(), matrix.columns())
                        .subtractProduct(columns, rightOf(matrix, ownRight));
                at += matrix.count();
            }
        }
    }

    /** All is summed: leaves the sum of the gradients in their place, equal on all workers. */
    public void restore() {
        StrictMemory target = new StrictMemory(gradients);
        for (int i = 0; i < layout.matrices().size(); i++) {
            Matrix matrix = layout.matrices().get(i);
            double[][] p = read(left, matrix.left(), matrix.rows());
            double[][] q = read(right, matrix.right(), matrix.columns());
            multiply(p, q, matrix, target);
            Orthonormal.make(q, Seeds.generator(seed, step, i, RIGHT));
            write(q, nextStart, matrix.right());
        }
        try (MemoryScope scope = MemoryScope.open()) {
            for (Other other : layout.others()) {
                gradients
                        .slice(other.offset(), other.count())
                        .set(others.slice(other.at(), other.count()));
            }
        }
    }

    /** Row i of the product is the sum over k of p[k][i] q[k], added in the order of k. */
    private static void multiply(double[][] p, double[][] q, Matrix matrix, StrictMemory target) {
        int columns = matrix.columns();
        int rowsAtOnce = Math.max(1, STRETCH / columns);
        double[] row = new double[columns];
        double[] values = new double[rowsAtOnce * columns];
        for (int from = 0; from < matrix.rows(); from += rowsAtOnce) {
            int rows = Math.min(rowsAtOnce, matrix.rows() - from);
            for (int i = 0; i < rows; i++) {
                Arrays.fill(row, 0);
                for (int k = 0; k < p.length; k++) {
                    addMultiple(row, q[k], p[k][from + i]);
                }
                System.arraycopy(row, 0, values, i * columns, columns);
            }
            target.write(matrix.offset() + (long) from * columns, values, rows * columns);
        }
    }

    private static void addMultiple(double[] row, double[] other, double factor) {
        for (int j = 0; j < row.length; j++) {
            row[j] += factor * other[j];
        }
    }

    /** The step was applied: the next one begins with what it left. */
    public void applied() {
        FlatBuffer oldRest = rest;
        rest = nextRest;
        nextRest = oldRest;
        restUnit = unit;
        FlatBuffer oldStart = start;
        start = nextStart;
        nextStart = oldStart;
    }

    private Tensor gradient(Matrix matrix) {
        return gradients
                .slice(matrix.offset(), matrix.count())
                .view(matrix.rows(), matrix.columns());
    }

    private Tensor leftOf(Matrix matrix) {
        long count = (long) layout.rank() * matrix.rows();
        return left.slice(matrix.left(), count).view(layout.rank(), matrix.rows());
    }

    private Tensor rightOf(Matrix matrix, FlatBuffer factors) {
        long count = (long) layout.rank() * matrix.columns();
        return factors.slice(matrix.right(), count).view(layout.rank(), matrix.columns());
    }

    private double[][] read(FlatBuffer from, long at, int length) {
        StrictMemory memory = new StrictMemory(from);
        double[][] columns = new double[layout.rank()][length];
        for (int k = 0; k < columns.length; k++) {
            memory.read(at + (long) k * length, columns[k], length);
        }
        return columns;
    }

    private static void write(double[][] columns, FlatBuffer into, long at) {
        StrictMemory memory = new StrictMemory(into);
        for (int k = 0; k < columns.length; k++) {
            int length = columns[k].length;
            memory.write(at + (long) k * length, columns[k], length);
        }
    }

    /** Frees native memory, but for that of others. */
    @Override
    public void close() {
        for (FlatBuffer each :
                new FlatBuffer[] {
                    gradients, left, right, others, rest, nextRest, start, nextStart, ownRight
                }) {
            each.close();
        }
    }
}
