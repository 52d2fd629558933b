package dev.medley.base.memory;

import java.util.Arrays;

/**
 * A named array in native memory: a parameter, a running statistic or a moment of the optimizer.
 * Model state is copied, saved and compared as such arrays.
 */
public final class NamedSpan {
    private final String name;
    private final ElementType type;
    private final long[] shape;
    private final Span data;

    /**
     * A name for given memory.
     *
     * @param name unique among the spans that travel together: {@code "layers.0.weight"}
     * @param type of its elements
     * @param shape lengths of its dimensions; empty for a single value
     * @param data exactly the array's bytes
     */
    public NamedSpan(String name, ElementType type, long[] shape, Span data) {
        this.name = name;
        this.type = type;
        this.shape = shape.clone();
        this.data = data;
        long expected = type.bytes();
        for (long length : shape) {
            expected = Math.multiplyExact(expected, length);
        }
        if (data.bytes() != expected) {
            throw new IllegalArgumentException(
                    "%s: %s of shape %s needs %d bytes, not %d"
                            .formatted(name, type, Arrays.toString(shape), expected, data.bytes()));
        }
    }

    /** Unique among the spans that travel together. */
    public String name() {
        return name;
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

    @Override
    public String toString() {
        return name + ": " + type + Arrays.toString(shape);
    }
}
