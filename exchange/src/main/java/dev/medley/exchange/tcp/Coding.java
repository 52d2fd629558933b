package dev.medley.exchange.tcp;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.codec.Residual;
import dev.medley.exchange.route.Cell;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.exchange.sum.Slice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What this rank encodes for other sites: cells that it owns. A cell is known by where it lies and
 * by its length; slices are the same in every step, so bytes and residuals have their place once.
 * The owner of a cell follows from the group, so the residual of an element stays with one rank for
 * as long as the group lasts, and ends with it. Belongs to the role's holder.
 */
final class Coding {
    private final @Nullable Codec codec;
    private final Map<Place, Coded> cells = new HashMap<>();

    /** Encoded since the last step was applied or discarded. */
    private final List<Coded> touched = new ArrayList<>();

    /** Where a cell lies in the exchange memory. */
    private record Place(long offsetBytes, int bytes, ElementType type) {}

    /** A cell's bytes for other sites, and what they lack. */
    private record Coded(ByteBuffer bytes, @Nullable Residual residual) {}

    /** Codes with this; null for not at all. */
    Coding(@Nullable Codec codec) {
        this.codec = codec;
    }

    /** Whether a slice is coded between sites. */
    boolean isFor(Slice slice) {
        return codec != null && slice.fidelity() == Fidelity.CODED;
    }

    /** Length of a cell on its way between sites. */
    int encodedBytes(Cell cell, ElementType type) {
        return codec().encodedBytes(cell.bytes() / type.bytes());
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
        Coded coded = cells.computeIfAbsent(place, this::prepare);
        codec().encode(joined(values), slice.type(), coded.bytes(), coded.residual());
        touched.add(coded);
        return coded.bytes();
    }

    /** Sets all of {@code into} to what was encoded. */
    void decode(ByteBuffer bytes, ElementType type, Span into) {
        if (into.isOneBuffer()) {
            decode(bytes, type, into.buffer());
            return;
        }
        Span whole = Span.allocate(into.bytes());
        decode(bytes, type, whole.buffer());
        into.copyFrom(whole);
    }

    /** The same within one buffer. */
    void decode(ByteBuffer bytes, ElementType type, ByteBuffer into) {
        codec().decode(bytes, type, into);
    }

    /** What was left out since the last step is part of the state. */
    void applied() {
        touched.forEach(each -> settle(each, Residual::commit));
        touched.clear();
    }

    /** What was left out since the last step is undone. */
    void discarded() {
        touched.forEach(each -> settle(each, Residual::rollBack));
        touched.clear();
    }

    private static void settle(Coded coded, java.util.function.Consumer<Residual> fate) {
        if (coded.residual() != null) {
            fate.accept(coded.residual());
        }
    }

    private Coded prepare(Place place) {
        int elements = place.bytes() / place.type().bytes();
        return new Coded(
                ByteBuffer.allocateDirect(codec().encodedBytes(elements)),
                codec().isCoarse() ? new Residual(elements) : null);
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

    private Codec codec() {
        if (codec == null) {
            throw new IllegalStateException("this group has no codec");
        }
        return codec;
    }
}
