package dev.medley.tensor.lowrank;

import dev.medley.base.memory.ElementType;
import dev.medley.tensor.layout.ParameterLayout;
import dev.medley.tensor.layout.Slot;
import java.util.ArrayList;
import java.util.List;

/**
 * The gradients that travel as factors, and the places of these factors. A parameter's gradient is
 * a matrix of its first dimension by all others, n by m, in the order in which it lies in memory.
 * It travels as {@code rank} columns of length n and as many of length m where that is less than
 * half of its n m elements; other gradients, such as those of biases, travel as they are. Frozen
 * parameters do not travel.
 *
 * <p>Memory of factors is {@code | left | right | others |}: the left factors travel first, what
 * follows them second. A factor is stored column after column.
 *
 * @param type of all elements
 * @param rank columns of each factor
 * @param matrices that travel as factors
 * @param others that travel as they are
 */
public record FactorLayout(ElementType type, int rank, List<Matrix> matrices, List<Other> others) {
    private static final int LINE_BYTES = 64;

    /**
     * A gradient that travels as factors. Offsets are in elements.
     *
     * @param offset in the flat gradients
     * @param rows n
     * @param columns m
     * @param left where its left factor begins among the left ones
     * @param right where its right factor begins among the right ones
     */
    public record Matrix(long offset, int rows, int columns, long left, long right) {
        /** Number of elements. */
        public long count() {
            return (long) rows * columns;
        }
    }

    /**
     * A gradient that travels as it is. Offsets are in elements.
     *
     * @param offset in the flat gradients
     * @param count of elements
     * @param at where it lies among the others
     */
    public record Other(long offset, long count, long at) {}

    public FactorLayout {
        matrices = List.copyOf(matrices);
        others = List.copyOf(others);
        if (rank < 1) {
            throw new IllegalArgumentException("factors of rank " + rank + " hold nothing");
        }
        for (Matrix matrix : matrices) {
            if (rank > Math.min(matrix.rows(), matrix.columns())) {
                throw new IllegalArgumentException(
                        "%d columns of %s cannot be orthonormal".formatted(rank, matrix));
            }
        }
    }

    /** The factors of a model's gradients, where they are shorter. */
    public static FactorLayout of(ParameterLayout layout, int rank) {
        List<Matrix> matrices = new ArrayList<>();
        List<Other> others = new ArrayList<>();
        long left = 0;
        long right = 0;
        long at = 0;
        for (Slot slot : layout.slots()) {
            if (!slot.isTrainable()) {
                continue;
            }
            if (isWorthIt(slot, rank)) {
                int rows = Math.toIntExact(slot.shape().get(0));
                int columns = Math.toIntExact(slot.count() / rows);
                matrices.add(new Matrix(slot.offset(), rows, columns, left, right));
                left += (long) rank * rows;
                right += (long) rank * columns;
            } else {
                others.add(new Other(slot.offset(), slot.count(), at));
                at += slot.count();
            }
        }
        return new FactorLayout(layout.type(), rank, matrices, others);
    }

    private static boolean isWorthIt(Slot slot, int rank) {
        if (slot.shape().size() < 2) {
            return false;
        }
        long rows = slot.shape().get(0);
        long columns = slot.count() / rows;
        return 2 * rank * (rows + columns) < slot.count();
    }

    /** Length of the left factors; zero where nothing is worth it. */
    public long leftBytes() {
        return matrices.stream().mapToLong(Matrix::rows).sum() * rank * type.bytes();
    }

    /** Length of the right factors. */
    public long rightBytes() {
        return matrices.stream().mapToLong(Matrix::columns).sum() * rank * type.bytes();
    }

    /** Length of what travels as it is. */
    public long otherBytes() {
        return others.stream().mapToLong(Other::count).sum() * type.bytes();
    }

    /** Where the right factors begin, on a cache line. */
    public long rightOffset() {
        return (leftBytes() + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    }

    /** Length of what travels second: right factors and others. */
    public long secondBytes() {
        return rightBytes() + otherBytes();
    }

    /** Length of the whole. */
    public long bytes() {
        return rightOffset() + secondBytes();
    }

    /** Elements of all matrices together: what a worker remembers of what was left out. */
    public long matrixElements() {
        return matrices.stream().mapToLong(Matrix::count).sum();
    }
}
