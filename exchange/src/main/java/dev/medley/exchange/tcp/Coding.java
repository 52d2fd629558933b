package dev.medley.exchange.tcp;

import dev.medley.base.memory.Span;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.codec.CodecResidual;
import dev.medley.exchange.route.Cell;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.exchange.sum.Slice;
import dev.medley.exchange.tcp.Load.Freight;
import dev.medley.exchange.tcp.Residuals.Place;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the cells that this rank owns for other sites. A cell is known by its place and its
 * length; slices are the same in every step, so bytes and residuals have their place once. The
 * owner of a cell follows from the group, so the residual of an element stays with one rank for as
 * long as the group lasts, and as long as groups continue one another ({@link Residuals}). Belongs
 * to the role's holder.
 */
final class Coding {
    private final BorderCodecs codecs;
    private final Residuals residuals;
    private final boolean isNone;

    /** A cell's bytes for other sites. */
    private final Map<Place, ByteBuffer> encoded = new HashMap<>();

    /** Codes with these. */
    Coding(BorderCodecs codecs, Residuals residuals) {
        this.codecs = codecs;
        this.isNone = codecs.isNone();
        this.residuals = residuals;
    }

    /** Whether a slice is coded between sites. */
    boolean isFor(Slice slice) {
        return slice.fidelity() == Fidelity.CODED && !isNone;
    }

    /** The codec for a site's bytes of a cell to other sites; null for none. */
    @Nullable Codec codec(Slice slice, Cell cell, int site, Freight freight) {
        Codec codec = isFor(slice) ? codecs.of(site, cell, freight) : null;
        return codec == null ? null : codec.at(slice.tag().step());
    }

    /** The most bytes of any cell on its way. */
    int mostBytes(int cellBytes) {
        return codecs.mostBytes(cellBytes / Float.BYTES);
    }

    /**
     * Encodes a cell and what was left out of it before. Where nothing of the step will be applied,
     * that stays for the next.
     *
     * @param values the cell in this rank's memory
     * @return its bytes, unchanged until the cell is encoded again
     */
    ByteBuffer encode(Codec codec, Slice slice, Cell cell, Span values) {
        Place place = place(slice, cell);
        int length = codec.encodedBytes(place.elements());
        ByteBuffer bytes =
                encoded.compute(
                        place,
                        (p, old) ->
                                old != null && old.capacity() == length
                                        ? old
                                        : ByteBuffer.allocateDirect(length));
        codec.encode(joined(values), slice.type(), bytes, residual(codec, slice, place));
        return bytes;
    }

    /**
     * The residual of a cell: what a coarser codec left out before is sent through a fine one, too.
     */
    private @Nullable CodecResidual residual(Codec codec, Slice slice, Place place) {
        if (slice.unit() == 0) {
            return null;
        }
        CodecResidual residual = codec.isCoarse() ? residuals.of(place) : residuals.known(place);
        return residual == null ? null : residual.in(slice.unit());
    }

    /** A cell of a coded slice goes as it is: what was left out of it before goes with it. */
    void leave(Slice slice, Cell cell, Span values) {
        residuals.moveInto(place(slice, cell), values, slice.unit());
    }

    private static Place place(Slice slice, Cell cell) {
        return new Place(slice.offsetBytes() + cell.startBytes(), cell.bytes(), slice.type());
    }

    /** A slice is about to be summed: where nothing is coded, what was left out goes with it. */
    void begin(Slice slice, Span memory) {
        if (isNone) {
            residuals.moveInto(slice, memory);
        }
    }

    /** Sets all of {@code into} to what was encoded. */
    static void decode(Codec codec, Slice slice, ByteBuffer bytes, Span into) {
        if (into.isOneBuffer()) {
            codec.decode(bytes, slice.type(), into.buffer());
            return;
        }
        Span whole = Span.allocate(into.bytes());
        codec.decode(bytes, slice.type(), whole.buffer());
        into.copyFrom(whole);
    }

    /** Makes what was left out since the last step part of the state. */
    void applied() {
        residuals.applied();
    }

    /** Undoes what was left out since the last step. */
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
}
