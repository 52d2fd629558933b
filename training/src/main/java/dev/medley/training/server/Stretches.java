package dev.medley.training.server;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Packs stretches of the flat parameters that travel as one, in their order: those of one server.
 * One owner.
 */
final class Stretches {
    private final List<Stretch> all;
    private final ElementType type;
    private final long bytes;
    private @Nullable Span packed;

    /** The elements from {@code from} to before {@code to}. */
    record Stretch(long from, long to) {
        long count() {
            return to - from;
        }

        /** This stretch of flat memory, as an alias. */
        Span of(Span flat, ElementType type) {
            return flat.slice(from * type.bytes(), count() * type.bytes());
        }
    }

    Stretches(List<Stretch> all, ElementType type) {
        this.all = List.copyOf(all);
        this.type = type;
        this.bytes = all.stream().mapToLong(Stretch::count).sum() * type.bytes();
    }

    long bytes() {
        return bytes;
    }

    /** Them all of flat memory: an alias, or where they are several a copy until the next call. */
    Span of(Span flat) {
        if (all.size() == 1) {
            return all.get(0).of(flat, type);
        }
        Span copy = packed == null ? Span.allocate(bytes) : packed;
        packed = copy;
        long at = 0;
        for (Stretch stretch : all) {
            Span part = stretch.of(flat, type);
            copy.slice(at, part.bytes()).copyFrom(part);
            at += part.bytes();
        }
        return copy;
    }

    /** Puts what is packed in its places. */
    void put(Span from, Span intoFlat) {
        long at = 0;
        for (Stretch stretch : all) {
            Span part = stretch.of(intoFlat, type);
            part.copyFrom(from.slice(at, part.bytes()));
            at += part.bytes();
        }
    }
}
