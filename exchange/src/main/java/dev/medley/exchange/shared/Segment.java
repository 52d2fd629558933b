package dev.medley.exchange.shared;

import dev.medley.base.memory.Span;
import dev.medley.exchange.sum.Scope;
import dev.medley.exchange.sum.Slice;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Lays out one rank's part of the shared memory: counters, two boxes for small slices, and the
 * exchange buffer. Only its rank writes counters and boxes; into the buffer all ranks write their
 * part of a sum. A counter is written with release and read with acquire semantics: a reader that
 * sees it also sees what was written before.
 *
 * <pre>
 * 0      magic
 * 64     READY: number of the last slice whose values lie here
 * 128    ADDED: number of the last large slice of which this rank has summed its part, everywhere
 * 192    ASLEEP: odd while the rank sleeps, grows with every sleep
 * 256    READY of slices that are summed over a site, which have numbers of their own
 * 320    ADDED of those
 * 512    what the slices of even and odd number are, {@link Slice#WORDS} longs each, 128 bytes apart;
 *        then those of a site
 * 4096   the box for small slices of even number, then that for odd ones; then those of a site
 * ...    the buffer, at a multiple of 4096
 * </pre>
 */
final class Segment {
    static final int ASLEEP = 192;

    private static final int READY = 64;
    private static final int ADDED = 128;
    private static final int READY_AT_SITE = 256;
    private static final int ADDED_AT_SITE = 320;

    static final long MAGIC = 0x4D65646C53686D31L;

    private static final int SLICES = 512;
    private static final int SLICE_STRIDE = 128;
    private static final int PAGE_BYTES = 4096;
    private static final long BOXES = 4;

    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private final ByteBuffer head;
    private final int boxBytes;
    private final Span buffer;

    Segment(Span head, int boxBytes, Span buffer) {
        this.head = head.buffer();
        this.boxBytes = boxBytes;
        this.buffer = buffer;
    }

    /** Bytes before the buffer. */
    static long headBytes(int boxBytes) {
        long bytes = PAGE_BYTES + BOXES * boxBytes;
        return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }

    Span buffer() {
        return buffer;
    }

    long counter(int which) {
        return (long) LONGS.getAcquire(head, which);
    }

    void set(int which, long value) {
        LONGS.setRelease(head, which, value);
    }

    /** Sets a counter before anything that this thread reads or writes later. */
    void setBeforeAll(int which, long value) {
        LONGS.setVolatile(head, which, value);
    }

    /** Says which slice is next; to be followed by READY. */
    void describe(Slice slice) {
        long[] words = slice.words();
        for (int i = 0; i < words.length; i++) {
            head.putLong(place(slice) + i * Long.BYTES, words[i]);
        }
    }

    /** The description of this rank's slice of the same number and scope. */
    long[] description(Slice slice) {
        long[] words = new long[Slice.WORDS];
        for (int i = 0; i < words.length; i++) {
            words[i] = head.getLong(place(slice) + i * Long.BYTES);
        }
        return words;
    }

    /** A stretch of the box for a small slice. */
    ByteBuffer box(Slice slice, int from, int bytes) {
        int start = PAGE_BYTES + index(slice) * boxBytes;
        return head.slice(start + from, bytes).order(ByteOrder.nativeOrder());
    }

    /** The counter of READY slices of a scope. */
    static int ready(Scope scope) {
        return scope == Scope.SITE ? READY_AT_SITE : READY;
    }

    /** The counter of ADDED slices of a scope. */
    static int added(Scope scope) {
        return scope == Scope.SITE ? ADDED_AT_SITE : ADDED;
    }

    private static int place(Slice slice) {
        return SLICES + index(slice) * SLICE_STRIDE;
    }

    private static int index(Slice slice) {
        return (int) (slice.number() & 1) + (slice.scope() == Scope.SITE ? 2 : 0);
    }
}
