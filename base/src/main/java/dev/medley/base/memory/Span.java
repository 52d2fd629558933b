package dev.medley.base.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A stretch of native memory with a long length. A Java buffer ends at 2 GiB, so a span is a row of
 * chunks of {@link #CHUNK_BYTES}; a short one is a single chunk. A slice aliases its span. Holding
 * any of them keeps the memory, and the mapping it may lie in, alive.
 */
public final class Span {
    /** Every chunk but the last has this length. */
    public static final int CHUNK_BYTES = 1 << 30;

    private static final byte[] ZEROS = new byte[1 << 13];

    private final List<ByteBuffer> chunks;
    private final long offset;
    private final long bytes;

    private Span(List<ByteBuffer> chunks, long offset, long bytes) {
        this.chunks = chunks;
        this.offset = offset;
        this.bytes = bytes;
    }

    /** Fresh zeroed memory. */
    public static Span allocate(long bytes) {
        List<ByteBuffer> chunks = new ArrayList<>();
        for (long left = bytes; left > 0 || chunks.isEmpty(); left -= CHUNK_BYTES) {
            chunks.add(ByteBuffer.allocateDirect((int) Math.min(left, CHUNK_BYTES)));
        }
        return ofChunks(chunks);
    }

    /** The remaining bytes of one direct buffer. */
    public static Span of(ByteBuffer direct) {
        return ofChunks(List.of(direct.slice()));
    }

    /** Chunks of {@link #CHUNK_BYTES} each, the last may be shorter. */
    public static Span ofChunks(List<ByteBuffer> chunks) {
        long bytes = 0;
        for (int i = 0; i < chunks.size(); i++) {
            ByteBuffer chunk = chunks.get(i);
            if (!chunk.isDirect()) {
                throw new IllegalArgumentException("chunk " + i + " is not native memory");
            }
            if (i + 1 < chunks.size() && chunk.capacity() != CHUNK_BYTES) {
                throw new IllegalArgumentException(
                        "chunk " + i + " has " + chunk.capacity() + " bytes, not " + CHUNK_BYTES);
            }
            bytes += chunk.capacity();
        }
        return new Span(List.copyOf(chunks), 0, bytes);
    }

    /** Length. */
    public long bytes() {
        return bytes;
    }

    /** An alias of {@code length} bytes from {@code from}. */
    public Span slice(long from, long length) {
        Objects.checkFromIndexSize(from, length, bytes);
        return new Span(chunks, offset + from, length);
    }

    /** Whether the span lies within one chunk, so that {@link #buffer} works. */
    public boolean isOneBuffer() {
        return bytes == 0 || offset / CHUNK_BYTES == (offset + bytes - 1) / CHUNK_BYTES;
    }

    /** The whole span as one fresh buffer in native order, position zero. */
    public ByteBuffer buffer() {
        if (!isOneBuffer()) {
            throw new IllegalStateException(
                    bytes + " bytes at " + offset + " cross a chunk: use buffers()");
        }
        return piece(0, (int) bytes);
    }

    /** The span as fresh buffers in native order, one for each chunk that it touches. */
    public List<ByteBuffer> buffers() {
        List<ByteBuffer> pieces = new ArrayList<>();
        long done = 0;
        while (done < bytes) {
            long inChunk = (offset + done) % CHUNK_BYTES;
            int length = (int) Math.min(CHUNK_BYTES - inChunk, bytes - done);
            pieces.add(piece(done, length));
            done += length;
        }
        return pieces;
    }

    /** Copies all of {@code source}, which must have the same length, into this span. */
    public void copyFrom(Span source) {
        if (source.bytes != bytes) {
            throw new IllegalArgumentException(
                    "cannot copy " + source.bytes + " bytes into " + bytes);
        }
        long done = 0;
        for (ByteBuffer from : source.buffers()) {
            for (ByteBuffer to : slice(done, from.remaining()).buffers()) {
                ByteBuffer part = from.slice(from.position(), to.remaining());
                from.position(from.position() + to.remaining());
                to.put(part);
            }
            done += from.limit();
        }
    }

    /** Sets all bytes to zero. */
    public void clear() {
        for (ByteBuffer piece : buffers()) {
            while (piece.hasRemaining()) {
                piece.put(ZEROS, 0, Math.min(ZEROS.length, piece.remaining()));
            }
        }
    }

    private ByteBuffer piece(long from, int length) {
        long start = offset + from;
        int index = (int) Math.min(start / CHUNK_BYTES, chunks.size() - 1);
        int inChunk = (int) (start - (long) index * CHUNK_BYTES);
        return chunks.get(index).slice(inChunk, length).order(ByteOrder.nativeOrder());
    }
}
