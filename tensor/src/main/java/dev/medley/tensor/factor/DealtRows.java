package dev.medley.tensor.factor;

import dev.medley.base.memory.Span;

/** Holds the rows of one side that a worker owns, one behind the other in native memory. */
public final class DealtRows implements PartnerRows {
    private final int first;
    private final int end;
    private final int stride;
    private final Span memory;
    private final FloatChunks numbers;

    /** Rows of zeros, from one code to before another, of so many numbers each. */
    public DealtRows(int first, int end, int stride) {
        this.first = first;
        this.end = end;
        this.stride = stride;
        memory = Span.allocate((long) (end - first) * stride * Float.BYTES);
        numbers = new FloatChunks(memory);
    }

    /** First code. */
    public int first() {
        return first;
    }

    /** After the last code. */
    public int end() {
        return end;
    }

    /** The rows of these codes as they lie. */
    public Span slice(int from, int to) {
        long rowBytes = (long) stride * Float.BYTES;
        return memory.slice((from - first) * rowBytes, (to - from) * rowBytes);
    }

    /** Length. */
    public long bytes() {
        return memory.bytes();
    }

    @Override
    public void read(int code, float[] into) {
        numbers.read((long) (code - first) * stride, into, 0, stride);
    }

    /** Sets a row. */
    public void write(int code, float[] from) {
        numbers.write((long) (code - first) * stride, from, 0, stride);
    }
}
