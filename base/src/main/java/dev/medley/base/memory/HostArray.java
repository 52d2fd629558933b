package dev.medley.base.memory;

import java.util.Arrays;

/** A dense row-major array in native memory. */
public final class HostArray {
    private final ElementType type;
    private final long[] shape;
    private final Span data;

    /**
     * An array over given memory.
     *
     * @param type of its elements
     * @param shape lengths of its dimensions; empty for a single value
     * @param data exactly the array's bytes
     */
    public HostArray(ElementType type, long[] shape, Span data) {
        this.type = type;
        this.shape = shape.clone();
        this.data = data;
        long expected = count(shape) * type.bytes();
        if (data.bytes() != expected) {
            throw new IllegalArgumentException(
                    "%s of shape %s needs %d bytes, not %d"
                            .formatted(type, Arrays.toString(shape), expected, data.bytes()));
        }
    }

    /** Fresh zeroed memory for an array. */
    public static HostArray allocate(ElementType type, long... shape) {
        return new HostArray(type, shape, Span.allocate(count(shape) * type.bytes()));
    }

    /** Type of the elements. */
    public ElementType type() {
        return type;
    }

    /** Lengths of the dimensions, a copy. */
    public long[] shape() {
        return shape.clone();
    }

    /** The array's bytes. */
    public Span data() {
        return data;
    }

    /** Number of elements. */
    public long count() {
        return count(shape);
    }

    /**
     * The part of an array from index {@code from} to before {@code to} of its first dimension, in
     * the same memory.
     */
    public HostArray rows(long from, long to) {
        long rowBytes = shape[0] == 0 ? 0 : data.bytes() / shape[0];
        long[] part = shape.clone();
        part[0] = to - from;
        return new HostArray(type, part, data.slice(from * rowBytes, (to - from) * rowBytes));
    }

    /** The same values in memory of their own. */
    public HostArray copy() {
        HostArray copy = allocate(type, shape);
        copy.data.buffer().put(data.buffer());
        return copy;
    }

    @Override
    public String toString() {
        return type + Arrays.toString(shape);
    }

    private static long count(long[] shape) {
        long count = 1;
        for (long length : shape) {
            count *= length;
        }
        return count;
    }
}
