package dev.medley.tensor;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.pytorch.global.torch;

/** Makes spans that alias tensors and tensors that alias spans; nothing is copied. */
final class NativeMemory {
    private NativeMemory() {}

    /** A tensor over the span's memory. Holds nothing: the caller keeps the span reachable. */
    static Tensor alias(Span span, ElementType type, long... shape) {
        if (span.bytes() == 0) {
            return Tensor.zeros(type, shape);
        }
        return new Tensor(torch.from_blob(firstByte(span), shape, Types.options(type)));
    }

    /** The memory of a dense tensor; valid while the tensor is. */
    static Span spanOf(Tensor tensor) {
        if (!tensor.at.is_non_overlapping_and_dense()) {
            throw new IllegalStateException("a tensor with gaps is not one span");
        }
        long bytes = tensor.count() * tensor.at.element_size();
        if (bytes == 0) {
            return Span.allocate(0);
        }
        Pointer start = tensor.at.data_ptr();
        List<ByteBuffer> chunks = new ArrayList<>();
        for (long from = 0; from < bytes; from += Span.CHUNK_BYTES) {
            BytePointer piece = new BytePointer(start).position(from);
            chunks.add(piece.limit(Math.min(bytes, from + Span.CHUNK_BYTES)).asByteBuffer());
        }
        return Span.ofChunks(chunks);
    }

    /** A pointer to the first byte of memory whose chunks follow one another without a gap. */
    private static Pointer firstByte(Span span) {
        List<ByteBuffer> pieces = span.buffers();
        Pointer first = new Pointer(pieces.get(0));
        long expected = addressOf(pieces.get(0));
        for (ByteBuffer piece : pieces) {
            if (addressOf(piece) != expected) {
                throw new IllegalStateException(
                        "a span of "
                                + span.bytes()
                                + " bytes lies in pieces that do not follow one another in memory;"
                                + " LibTorch needs one stretch");
            }
            expected += piece.remaining();
        }
        return first;
    }

    private static long addressOf(ByteBuffer buffer) {
        try (BytePointer pointer = new BytePointer(buffer)) {
            return pointer.address() + pointer.position();
        }
    }
}
