package dev.medley.exchange.tcp;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.base.route.SiteMap;
import dev.medley.exchange.codec.CodecResidual;
import dev.medley.exchange.sum.Fidelity;
import dev.medley.exchange.sum.Slice;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what codecs left out of the cells that this rank owns, to be sent with the next step. It
 * belongs to the process and not to a group, so that a group which continues under another plan, or
 * with another codec, keeps it: as long as all stand where they stood, the same rank owns the same
 * cells. A residual is a number to be added, whatever codec left it, in the unit of the slice that
 * it was left out of ({@link Slice#unit}).
 *
 * <p>Thread: the one that forms, then the holder of the role of what was formed; one group at a
 * time.
 */
public final class Residuals {
    private final Map<Place, CodecResidual> cells = new HashMap<>();

    /** Written since the last step was applied or discarded. */
    private final Map<Place, CodecResidual> touched = new HashMap<>();

    /** Of those, what went into a sum that nothing is left out of. */
    private final List<Place> moved = new ArrayList<>();

    private @Nullable SiteMap sites;
    private int rank;

    /** Where a cell lies in the exchange memory. */
    record Place(long offsetBytes, int bytes, ElementType type) {
        int elements() {
            return bytes / type.bytes();
        }

        boolean isWithin(Slice slice) {
            return offsetBytes >= slice.offsetBytes()
                    && offsetBytes + bytes <= slice.offsetBytes() + slice.bytes();
        }
    }

    /** Nothing is left out any more. */
    public void forget() {
        cells.clear();
        touched.clear();
        moved.clear();
    }

    /**
     * A group begins. What is left of a step that was not applied is undone; where ranks stand
     * elsewhere than in the group before, or this one has another rank, others own its cells, and
     * all is forgotten.
     */
    void begin(SiteMap places, int ownRank) {
        discarded();
        if (!places.equals(sites) || rank != ownRank) {
            forget();
        }
        sites = places;
        rank = ownRank;
    }

    /** The residual of a cell; of one that is new it is zero. */
    CodecResidual of(Place place) {
        CodecResidual residual = cells.computeIfAbsent(place, p -> new CodecResidual(p.elements()));
        touched.put(place, residual);
        return residual;
    }

    /** The same; null where nothing is known of the cell. */
    @Nullable CodecResidual known(Place place) {
        return cells.containsKey(place) ? of(place) : null;
    }

    /**
     * A slice that might have been coded goes as it is: what was left out of it before is added to
     * this rank's values, so that the sum has it.
     */
    void moveInto(Slice slice, Span memory) {
        if (cells.isEmpty() || slice.fidelity() != Fidelity.CODED || slice.unit() == 0) {
            return;
        }
        for (Map.Entry<Place, CodecResidual> each : cells.entrySet()) {
            Place place = each.getKey();
            if (place.isWithin(slice) && place.type() == slice.type()) {
                each.getValue().in(slice.unit());
                moveInto(memory.slice(place.offsetBytes(), place.bytes()), each.getValue(), place);
            }
        }
    }

    /** The same of one cell, into the values that its owner sends in this unit. */
    void moveInto(Place place, Span values, double unit) {
        CodecResidual residual = cells.get(place);
        if (residual != null && unit != 0) {
            moveInto(values, residual.in(unit), place);
        }
    }

    private void moveInto(Span values, CodecResidual residual, Place place) {
        if (values.isOneBuffer()) {
            residual.moveInto(values.buffer(), place.type());
        } else {
            Span whole = Span.allocate(values.bytes());
            whole.copyFrom(values);
            ByteBuffer buffer = whole.buffer();
            residual.moveInto(buffer, place.type());
            values.copyFrom(whole);
        }
        touched.put(place, residual);
        moved.add(place);
    }

    /** Makes what was left out since the last step part of the state. */
    void applied() {
        touched.values().forEach(CodecResidual::commit);
        touched.clear();
        moved.forEach(cells::remove);
        moved.clear();
    }

    /** Undoes what was left out since the last step. */
    void discarded() {
        touched.values().forEach(CodecResidual::rollBack);
        touched.clear();
        moved.clear();
    }
}
