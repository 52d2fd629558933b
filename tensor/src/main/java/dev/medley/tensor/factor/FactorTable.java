package dev.medley.tensor.factor;

import dev.medley.base.memory.Span;
import dev.medley.tensor.layout.ParameterLayout;
import java.nio.FloatBuffer;
import java.util.List;

/**
 * Reads and writes single rows of arrays that lie as a factorisation's parameters do: the bias,
 * then the weight of each row, then its factors. A row is a weight and as many factors as the rank
 * says; behind the last one comes the row of the bias, which has no factors.
 */
final class FactorTable {
    private static final int CHUNK_BITS = 28;
    private static final int CHUNK_FLOATS = 1 << CHUNK_BITS;

    private final List<FloatBuffer> chunks;
    private final long bias;
    private final long weights;
    private final long factors;
    private final int rank;
    private final int rows;

    /** Over {@code memory}, which is as long as the parameters are. */
    FactorTable(Span memory, ParameterLayout layout) {
        chunks = memory.buffers().stream().map(b -> b.asFloatBuffer()).toList();
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
            into[at] = chunk(bias).get(place(bias));
            java.util.Arrays.fill(into, at + 1, at + 1 + rank, 0);
            return;
        }
        into[at] = chunk(weights + row).get(place(weights + row));
        long from = factors + (long) row * rank;
        for (int done = 0; done < rank; ) {
            int count = Math.min(rank - done, CHUNK_FLOATS - place(from + done));
            chunk(from + done).get(place(from + done), into, at + 1 + done, count);
            done += count;
        }
    }

    /** Copies a row from {@code from}. */
    void write(int row, float[] from, int at) {
        if (row == rows) {
            chunk(bias).put(place(bias), from[at]);
            return;
        }
        chunk(weights + row).put(place(weights + row), from[at]);
        long to = factors + (long) row * rank;
        for (int done = 0; done < rank; ) {
            int count = Math.min(rank - done, CHUNK_FLOATS - place(to + done));
            chunk(to + done).put(place(to + done), from, at + 1 + done, count);
            done += count;
        }
    }

    private FloatBuffer chunk(long element) {
        return chunks.get((int) (element >> CHUNK_BITS));
    }

    private static int place(long element) {
        return (int) (element & (CHUNK_FLOATS - 1));
    }
}
