package dev.medley.store.file;

import dev.medley.base.Seeds;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanHash;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.random.RandomGenerator;

/** Arrays whose content is a function of a seed. */
public final class Spans {
    private Spans() {}

    /** One array of each type, odd sizes, a single value, and an empty one. */
    public static List<NamedSpan> ofEveryType(long seed) {
        return List.of(
                random(seed, "bytes", ElementType.UINT8, 7),
                random(seed, "layers.0.weight", ElementType.FLOAT32, 3, 5),
                random(seed, "moments", ElementType.FLOAT64, 4),
                random(seed, "steps", ElementType.INT64),
                random(seed, "größe \"1\"", ElementType.INT32, 2, 1, 3),
                random(seed, "empty", ElementType.FLOAT32, 0, 8));
    }

    public static NamedSpan random(long seed, String name, ElementType type, long... shape) {
        long bytes = type.bytes();
        for (long length : shape) {
            bytes *= length;
        }
        Span span = Span.allocate(bytes);
        RandomGenerator random = Seeds.generator(seed, name.hashCode());
        for (ByteBuffer piece : span.buffers()) {
            while (piece.remaining() >= Long.BYTES) {
                piece.putLong(random.nextLong());
            }
            while (piece.hasRemaining()) {
                piece.put((byte) random.nextInt());
            }
        }
        return new NamedSpan(name, type, shape, span);
    }

    /** Name, type, shape and bytes as text, in the order of the names: for comparing. */
    public static List<String> describe(List<NamedSpan> spans) {
        return spans.stream().map(s -> s + " " + SpanHash.of(List.of(s.data()))).sorted().toList();
    }
}
