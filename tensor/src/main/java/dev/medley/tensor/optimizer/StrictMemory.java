package dev.medley.tensor.optimizer;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.tensor.FlatBuffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;

/**
 * Copies stretches of a flat buffer into doubles and back, for computations that have to agree on
 * every machine. The buffer stays its owner's.
 */
public final class StrictMemory {
    private final Span span;
    private final boolean isFloat;
    private final int elementBytes;
    private float[] floats = {};

    /** Over a buffer of FLOAT32 or FLOAT64. */
    public StrictMemory(FlatBuffer buffer) {
        span = buffer.span();
        isFloat = buffer.tensor().type() == ElementType.FLOAT32;
        elementBytes = buffer.tensor().type().bytes();
    }

    /** Takes {@code count} elements from element {@code from} on. */
    public void read(long from, double[] into, int count) {
        int at = 0;
        for (ByteBuffer piece : pieces(from, count)) {
            int length = piece.remaining() / elementBytes;
            if (isFloat) {
                FloatBuffer source = piece.asFloatBuffer();
                reserve(length);
                source.get(0, floats, 0, length);
                for (int i = 0; i < length; i++) {
                    into[at + i] = floats[i];
                }
            } else {
                DoubleBuffer source = piece.asDoubleBuffer();
                source.get(0, into, at, length);
            }
            at += length;
        }
    }

    /** Puts {@code count} values, rounded to the element's type, from element {@code from} on. */
    public void write(long from, double[] values, int count) {
        int at = 0;
        for (ByteBuffer piece : pieces(from, count)) {
            int length = piece.remaining() / elementBytes;
            if (isFloat) {
                reserve(length);
                for (int i = 0; i < length; i++) {
                    floats[i] = (float) values[at + i];
                }
                piece.asFloatBuffer().put(0, floats, 0, length);
            } else {
                piece.asDoubleBuffer().put(0, values, at, length);
            }
            at += length;
        }
    }

    private Iterable<ByteBuffer> pieces(long from, int count) {
        return span.slice(from * elementBytes, (long) count * elementBytes).buffers();
    }

    private void reserve(int length) {
        if (floats.length < length) {
            floats = new float[length];
        }
    }
}
