package dev.medley.tensor;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;

/**
 * Holds all parameters, or all gradients, or all of one moment, in one stretch of memory. It is a
 * tensor for LibTorch and a span for everybody else, over the same bytes.
 */
public final class FlatBuffer implements AutoCloseable {
    private final Tensor tensor;
    private final Span span;

    private FlatBuffer(Tensor tensor, Span span) {
        this.tensor = tensor.keep();
        this.span = span;
    }

    /** Fresh zeros, freed by {@link #close()}. */
    public static FlatBuffer allocate(ElementType type, long elements) {
        Tensor tensor = Tensor.zeros(type, elements);
        return new FlatBuffer(tensor, tensor.span());
    }

    /** Memory that somebody else owns; held as long as this buffer is. */
    public static FlatBuffer over(ElementType type, Span span) {
        return new FlatBuffer(NativeMemory.alias(span, type, span.bytes() / type.bytes()), span);
    }

    /** The memory as a vector. */
    public Tensor tensor() {
        return tensor;
    }

    /** The memory as bytes; of no use after {@link #close()}. */
    public Span span() {
        return span;
    }

    /** A view of {@code count} elements. */
    public Tensor slice(long offset, long count) {
        return tensor.narrow(0, offset, count);
    }

    @Override
    public void close() {
        tensor.release();
    }
}
