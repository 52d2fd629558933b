package dev.medley.store.checkpoint;

import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the native memory for copies of the state while they are written. It is reused, so that a
 * run allocates it once. Cost: as many bytes as the state.
 *
 * <p>Thread: handed to and fro between caller and writer, one at a time.
 */
final class StagingMemory {
    /** Every copy begins at a multiple of this. */
    private static final long ALIGNMENT_BYTES = 64;

    private final SpanSource source;
    private Span memory = Span.allocate(0);

    /** In memory of that kind. */
    StagingMemory(SpanSource source) {
        this.source = source;
    }

    /** Copies of all spans under the same names; valid until the next call. */
    List<NamedSpan> copy(List<NamedSpan> spans) {
        reserve(bytesFor(spans));
        List<NamedSpan> copies = new ArrayList<>();
        long at = 0;
        for (NamedSpan span : spans) {
            Span copy = memory.slice(at, span.data().bytes());
            copy.copyFrom(span.data());
            copies.add(new NamedSpan(span.name(), span.type(), span.shape(), copy));
            at += aligned(span.data().bytes());
        }
        return copies;
    }

    static long bytesFor(List<NamedSpan> spans) {
        return spans.stream().mapToLong(span -> aligned(span.data().bytes())).sum();
    }

    /** Makes sure that there is so much memory: the system hands out pages slowly. */
    void reserve(long bytes) {
        if (memory.bytes() < bytes) {
            memory = Span.allocate(0); // the old one may go before the new one comes
            memory = source.allocate(bytes);
        }
    }

    private static long aligned(long bytes) {
        return (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
    }
}
