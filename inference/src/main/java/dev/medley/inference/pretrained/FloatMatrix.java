package dev.medley.inference.pretrained;

import dev.medley.base.memory.Span;
import java.nio.FloatBuffer;
import java.util.List;

/** Rearranges matrices of floats that lie row by row in native memory; results are fresh. */
final class FloatMatrix {
    private FloatMatrix() {}

    /** Rows as columns. */
    static Span transposed(Span matrix, int rows, int columns) {
        Span result = Span.allocate(matrix.bytes());
        FloatBuffer from = floats(copy(matrix));
        FloatBuffer to = floats(result);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                to.put(column * rows + row, from.get());
            }
        }
        return result;
    }

    /** One below the other. */
    static Span stacked(List<Span> matrices) {
        Span result = Span.allocate(matrices.stream().mapToLong(Span::bytes).sum());
        long at = 0;
        for (Span matrix : matrices) {
            result.slice(at, matrix.bytes()).copyFrom(matrix);
            at += matrix.bytes();
        }
        return result;
    }

    /** With a row of {@code added} added to every row. */
    static Span plusRow(Span matrix, Span added, int columns) {
        Span result = copy(matrix);
        FloatBuffer to = floats(result);
        FloatBuffer row = floats(copy(added.slice(0, (long) columns * Float.BYTES)));
        for (int i = 0; i < to.limit(); i++) {
            to.put(i, to.get(i) + row.get(i % columns));
        }
        return result;
    }

    /**
     * matrix + scale left right, in which {@code left} is [rows, rank] and {@code right} is [rank,
     * columns].
     */
    static Span plusProduct(Span matrix, Span left, Span right, int rank, double scale) {
        Span result = copy(matrix);
        FloatBuffer to = floats(result);
        FloatBuffer factors = floats(copy(left));
        FloatBuffer rowsOf = floats(copy(right));
        int columns = rowsOf.limit() / rank;
        for (int i = 0; i < to.limit(); i++) {
            int row = i / columns;
            double sum = 0;
            for (int k = 0; k < rank; k++) {
                sum += (double) factors.get(row * rank + k) * rowsOf.get(k * columns + i % columns);
            }
            to.put(i, (float) (to.get(i) + scale * sum));
        }
        return result;
    }

    /** A mapped array may lie across two chunks of its file. */
    private static Span copy(Span of) {
        Span copy = Span.allocate(of.bytes());
        copy.copyFrom(of);
        return copy;
    }

    private static FloatBuffer floats(Span span) {
        return span.buffer().asFloatBuffer();
    }
}
