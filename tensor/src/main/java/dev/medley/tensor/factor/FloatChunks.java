package dev.medley.tensor.factor;

import dev.medley.base.memory.Span;
import java.nio.FloatBuffer;
import java.util.List;

/** Reads and writes stretches of a span's numbers, which may lie across its chunks. */
final class FloatChunks {
    private static final int CHUNK_BITS = 28;
    private static final int CHUNK_FLOATS = 1 << CHUNK_BITS;

    private final List<FloatBuffer> chunks;

    /** Over a span that begins where its first chunk does. */
    FloatChunks(Span memory) {
        chunks = memory.buffers().stream().map(b -> b.asFloatBuffer()).toList();
    }

    /** Copies {@code count} numbers from the one at {@code from} on. */
    void read(long from, float[] into, int at, int count) {
        for (int done = 0; done < count; ) {
            int some = Math.min(count - done, CHUNK_FLOATS - place(from + done));
            chunk(from + done).get(place(from + done), into, at + done, some);
            done += some;
        }
    }

    /** Sets {@code count} numbers from the one at {@code to} on. */
    void write(long to, float[] from, int at, int count) {
        for (int done = 0; done < count; ) {
            int some = Math.min(count - done, CHUNK_FLOATS - place(to + done));
            chunk(to + done).put(place(to + done), from, at + done, some);
            done += some;
        }
    }

    private FloatBuffer chunk(long element) {
        return chunks.get((int) (element >> CHUNK_BITS));
    }

    private static int place(long element) {
        return (int) (element & (CHUNK_FLOATS - 1));
    }
}
