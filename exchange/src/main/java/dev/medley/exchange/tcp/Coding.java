package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.codec.Residual;
import dev.medley.exchange.route.Cell;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.tcp.Residuals.Place;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this rank encodes for other sites: cells that it owns. A cell is known by where it lies and
 * by its length; slices are the same in every step, so bytes and residuals have their place once.
 * The owner of a cell follows from the group, so the residual of an element stays with one rank for
 * as long as the group lasts, and as long as groups go on ({@link Residuals}). Belongs to the
 * role's holder.
 */
final class Coding {
    private final @Nullable Codec codec;
    private final Residuals residuals;

    /** A cell's bytes for other sites. */
    private final Map<Place, ByteBuffer> encoded = new HashMap<>();

    /** Codes with this; null for not at all. */
    Coding(@Nullable Codec codec, Residuals residuals) {
        this.codec = codec;
        this.residuals = residuals;
    }

    /** Whether a slice is coded between sites. */
    boolean isFor(Slice slice) {
        return codec != null && slice.fidelity() == Fidelity.CODED;
    }

    /** Length of a cell on its way between sites. */
    int encodedBytes(Slice slice, Cell cell) {
        return codec(slice).encodedBytes(cell.bytes() / slice.type().bytes());
    }

    /** The most bytes of any cell on its way. */
    int mostBytes(int cellBytes) {
        return codec().encodedBytes(cellBytes / Float.BYTES);
    }

    /**
     * Encodes a cell and what was left out of it before.
     *
     * @param values the cell in this rank's memory
     * @return its bytes, unchanged until the cell is encoded again
     */
    ByteBuffer encode(Slice slice, Cell cell, Span values) {
        Place place =
                new Place(slice.offsetBytes() + cell.startBytes(), cell.bytes(), slice.type());
        int length = encodedBytes(slice, cell);
        ByteBuffer bytes =
                encoded.compute(
                        place,
                        (p, old) ->
                                old != null && old.capacity() == length
                                        ? old
                                        : ByteBuffer.allocateDirect(length));
        Codec now = codec(slice);
        // What a coarser codec left out before goes on with a fine one.
        Residual residual = now.isCoarse() ? residuals.of(place) : residuals.known(place);
        now.encode(joined(values), slice.type(), bytes, residual);
        return bytes;
    }

    /** A slice is about to be summed: where nothing is coded, what was left out goes with it. */
    void begin(Slice slice, Span memory) {
        if (codec == null) {
            residuals.moveInto(slice, memory);
        }
    }

    /** Sets all of {@code into} to what was encoded. */
    void decode(Slice slice, ByteBuffer bytes, Span into) {
        if (into.isOneBuffer()) {
            decode(slice, bytes, into.buffer());
            return;
        }
        Span whole = Span.allocate(into.bytes());
        decode(slice, bytes, whole.buffer());
        into.copyFrom(whole);
    }

    /** The same within one buffer. */
    void decode(Slice slice, ByteBuffer bytes, ByteBuffer into) {
        codec(slice).decode(bytes, slice.type(), into);
    }

    /** What was left out since the last step is part of the state. */
    void applied() {
        residuals.applied();
    }

    /** What was left out since the last step is undone. */
    void discarded() {
        residuals.discarded();
    }

    /** Memory as one buffer; a copy where it crosses a chunk, which one cell in thousands does. */
    private static ByteBuffer joined(Span values) {
        if (values.isOneBuffer()) {
            return values.buffer();
        }
        Span copy = Span.allocate(values.bytes());
        copy.copyFrom(values);
        return copy.buffer();
    }

    private Codec codec(Slice slice) {
        return codec().at(slice.tag().step());
    }

    private Codec codec() {
        if (codec == null) {
            throw new IllegalStateException("this group has no codec");
        }
        return codec;
    }
}
