package dev.medley.tensor.factor;

import dev.medley.base.memory.Span;
import dev.medley.tensor.layout.ParameterLayout;
import java.util.Arrays;

/**
 * Reads and writes single rows of arrays that lie as a factorisation's parameters do: the bias,
 * then the weight of each row, then its factors. A row is a weight and as many factors as the rank
 * says; behind the last one comes the row of the bias, which has no factors.
 */
final class FactorTable {
    private final FloatChunks numbers;
    private final long bias;
    private final long weights;
    private final long factors;
    private final int rank;
    private final int rows;

    /** Over {@code memory}, which is as long as the parameters are. */
    FactorTable(Span memory, ParameterLayout layout) {
        numbers = new FloatChunks(memory);
        bias = layout.slots().get(0).offset();
        weights = layout.slots().get(1).offset();
        factors = layout.slots().get(2).offset();
        rows = Math.toIntExact(layout.slots().get(2).shape().get(0));
        rank = Math.toIntExact(layout.slots().get(2).shape().get(1));
    }

    /** Numbers of a row. */
    int stride() {
        return rank + 1;
    }

    /** The row of the bias. */
    int biasRow() {
        return rows;
    }

    /** Copies a row to {@code into} from {@code at} on. */
    void read(int row, float[] into, int at) {
        if (row == rows) {
            numbers.read(bias, into, at, 1);
            Arrays.fill(into, at + 1, at + 1 + rank, 0);
            return;
        }
        numbers.read(weights + row, into, at, 1);
        numbers.read(factors + (long) row * rank, into, at + 1, rank);
    }

    /** Copies a row from {@code from}. */
    void write(int row, float[] from, int at) {
        if (row == rows) {
            numbers.write(bias, from, at, 1);
            return;
        }
        numbers.write(weights + row, from, at, 1);
        numbers.write(factors + (long) row * rank, from, at + 1, rank);
    }
}
