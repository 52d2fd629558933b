package dev.medley.exchange.codec;

import dev.medley.base.memory.ElementType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Holds what a codec left out of one stretch so far, to be sent with the next step. A step under
 * way writes beside the residual before it, which is restored if the step is discarded. Each sum
 * has a unit, the number that it is divided by, which may differ from step to step: what was left
 * out in one unit is scaled to the unit in which it is read or written. Native memory: 8 bytes an
 * element. One owner.
 */
public final class CodecResidual {
    private FloatBuffer committed;
    private FloatBuffer pending;
    private boolean isPending;
    private double unit = 1;
    private double committedUnit = 1;
    private double pendingUnit = 1;

    /** Nothing left out yet of so many elements. */
    public CodecResidual(int elements) {
        committed = zeros(elements);
        pending = zeros(elements);
    }

    private static FloatBuffer zeros(int elements) {
        return ByteBuffer.allocateDirect(elements * Float.BYTES)
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
    }

    /**
     * The same, read and written in units of the next sum.
     *
     * @param ofSum what it is divided by; not 0
     */
    public CodecResidual in(double ofSum) {
        unit = ofSum;
        return this;
    }

    void get(int at, float[] into, int count) {
        (isPending ? pending : committed).get(at, into, 0, count);
        float factor = (float) (unit / (isPending ? pendingUnit : committedUnit));
        if (factor != 1) {
            for (int i = 0; i < count; i++) {
                into[i] *= factor;
            }
        }
    }

    void put(int at, float[] from, int count) {
        pending.put(at, from, 0, count);
    }

    void written() {
        isPending = true;
        pendingUnit = unit;
    }

    /** Adds all of it to {@code values}; then nothing is left. */
    public void moveInto(ByteBuffer values, ElementType type) {
        Elements elements = Elements.of(values, type);
        float[] left = new float[Codec.BLOCK_ELEMENTS];
        float[] sum = new float[Codec.BLOCK_ELEMENTS];
        float[] nothing = new float[Codec.BLOCK_ELEMENTS];
        for (int at = 0; at < elements.count(); at += Codec.BLOCK_ELEMENTS) {
            int count = Math.min(Codec.BLOCK_ELEMENTS, elements.count() - at);
            get(at, left, count);
            elements.get(at, sum, count);
            for (int i = 0; i < count; i++) {
                sum[i] += left[i];
            }
            elements.put(at, sum, count);
            put(at, nothing, count);
        }
        written();
    }

    /** The step was applied. */
    public void commit() {
        if (isPending) {
            FloatBuffer old = committed;
            committed = pending;
            pending = old;
            committedUnit = pendingUnit;
            isPending = false;
        }
    }

    /** The step was discarded. */
    public void rollBack() {
        isPending = false;
    }
}
