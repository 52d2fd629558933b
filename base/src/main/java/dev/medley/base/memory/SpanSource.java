package dev.medley.base.memory;

/** Gives memory for long arrays: of the process, or in files where arrays may exceed it. */
@FunctionalInterface
public interface SpanSource {
    /** Native memory of the process. */
    SpanSource NATIVE = Span::allocate;

    /** Fresh zeroed memory of so many bytes. */
    Span allocate(long bytes);
}
