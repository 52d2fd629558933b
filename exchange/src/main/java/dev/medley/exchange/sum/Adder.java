package dev.medley.exchange.sum;

import dev.medley.base.memory.ElementType;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;

/**
 * Adds arrays element by element, always from the first summand to the last. Plain loops over
 * direct buffers add up to four summands of float32, and two of float64; others go through a block
 * on the heap that stays in the cache. Buffers are in native order, aligned to their elements, and
 * read and written from position zero; the target may be the same memory as any one summand.
 */
public final class Adder {
    private static final int BLOCK_ELEMENTS = 2048;

    private final float[] floatSum = new float[BLOCK_ELEMENTS];
    private final float[] floatNext = new float[BLOCK_ELEMENTS];
    private final double[] doubleSum = new double[BLOCK_ELEMENTS];
    private final double[] doubleNext = new double[BLOCK_ELEMENTS];

    /** Sets {@code target} to the sum of {@code summands}, all of the same length. */
    public void sum(ByteBuffer target, ByteBuffer[] summands, ElementType type) {
        switch (type) {
            case FLOAT32 -> sumFloats(target.asFloatBuffer(), floats(summands));
            case FLOAT64 -> sumDoubles(target.asDoubleBuffer(), doubles(summands));
            case INT32, INT64, UINT8 ->
                    throw new IllegalArgumentException("sums are of floats, not of " + type);
        }
    }

    private void sumFloats(FloatBuffer target, FloatBuffer[] in) {
        int count = target.remaining();
        switch (in.length) {
            case 2 -> add(target, in[0], in[1], count);
            case 3 -> add(target, in[0], in[1], in[2], count);
            case 4 -> add(target, in[0], in[1], in[2], in[3], count);
            default -> addMany(target, in, count);
        }
    }

    private void sumDoubles(DoubleBuffer target, DoubleBuffer[] in) {
        int count = target.remaining();
        if (in.length == 2) {
            add(target, in[0], in[1], count);
        } else {
            addMany(target, in, count);
        }
    }

    private static void add(FloatBuffer target, FloatBuffer a, FloatBuffer b, int count) {
        for (int i = 0; i < count; i++) {
            target.put(i, a.get(i) + b.get(i));
        }
    }

    private static void add(
            FloatBuffer target, FloatBuffer a, FloatBuffer b, FloatBuffer c, int count) {
        for (int i = 0; i < count; i++) {
            target.put(i, a.get(i) + b.get(i) + c.get(i));
        }
    }

    private static void add(
            FloatBuffer target,
            FloatBuffer a,
            FloatBuffer b,
            FloatBuffer c,
            FloatBuffer d,
            int count) {
        for (int i = 0; i < count; i++) {
            target.put(i, a.get(i) + b.get(i) + c.get(i) + d.get(i));
        }
    }

    private static void add(DoubleBuffer target, DoubleBuffer a, DoubleBuffer b, int count) {
        for (int i = 0; i < count; i++) {
            target.put(i, a.get(i) + b.get(i));
        }
    }

    private void addMany(FloatBuffer target, FloatBuffer[] in, int count) {
        for (int from = 0; from < count; from += BLOCK_ELEMENTS) {
            int length = Math.min(BLOCK_ELEMENTS, count - from);
            in[0].get(from, floatSum, 0, length);
            for (int k = 1; k < in.length; k++) {
                in[k].get(from, floatNext, 0, length);
                add(floatSum, floatNext, length);
            }
            target.put(from, floatSum, 0, length);
        }
    }

    private void addMany(DoubleBuffer target, DoubleBuffer[] in, int count) {
        for (int from = 0; from < count; from += BLOCK_ELEMENTS) {
            int length = Math.min(BLOCK_ELEMENTS, count - from);
            in[0].get(from, doubleSum, 0, length);
            for (int k = 1; k < in.length; k++) {
                in[k].get(from, doubleNext, 0, length);
                add(doubleSum, doubleNext, length);
            }
            target.put(from, doubleSum, 0, length);
        }
    }

    private static void add(float[] sum, float[] next, int length) {
        for (int i = 0; i < length; i++) {
            sum[i] += next[i];
        }
    }

    private static void add(double[] sum, double[] next, int length) {
        for (int i = 0; i < length; i++) {
            sum[i] += next[i];
        }
    }

    private static FloatBuffer[] floats(ByteBuffer[] buffers) {
        FloatBuffer[] views = new FloatBuffer[buffers.length];
        for (int i = 0; i < views.length; i++) {
            views[i] = buffers[i].asFloatBuffer();
        }
        return views;
    }

    private static DoubleBuffer[] doubles(ByteBuffer[] buffers) {
        DoubleBuffer[] views = new DoubleBuffer[buffers.length];
        for (int i = 0; i < views.length; i++) {
            views[i] = buffers[i].asDoubleBuffer();
        }
        return views;
    }
}
