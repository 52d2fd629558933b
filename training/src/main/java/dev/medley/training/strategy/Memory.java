package dev.medley.training.strategy;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.List;

/** Arithmetic over spans in plain Java, in index order. */
final class Memory {
    private Memory() {}

    static long bytes(List<NamedSpan> spans) {
        return spans.stream().mapToLong(span -> span.data().bytes()).sum();
    }

    static void clear(Span span) {
        for (ByteBuffer piece : span.buffers()) {
            while (piece.remaining() >= Long.BYTES) {
                piece.putLong(0);
            }
            while (piece.hasRemaining()) {
                piece.put((byte) 0);
            }
        }
    }

    /** {@code into = (from - minus) * factor}, element by element; FLOAT32 or FLOAT64. */
    static void difference(Span from, Span minus, double factor, Span into, ElementType type) {
        long done = 0;
        for (ByteBuffer a : from.buffers()) {
            // Spans may begin at different places of their chunks: cut where any of them does.
            for (ByteBuffer b : minus.slice(done, a.remaining()).buffers()) {
                for (ByteBuffer to : into.slice(done, b.remaining()).buffers()) {
                    ByteBuffer left = a.slice(a.position(), to.remaining()).order(a.order());
                    ByteBuffer right = b.slice(b.position(), to.remaining()).order(b.order());
                    a.position(a.position() + to.remaining());
                    b.position(b.position() + to.remaining());
                    done += to.remaining();
                    difference(left, right, factor, to, type);
                }
            }
        }
    }

    private static void difference(
            ByteBuffer a, ByteBuffer b, double factor, ByteBuffer to, ElementType type) {
        if (type == ElementType.FLOAT64) {
            DoubleBuffer x = a.asDoubleBuffer();
            DoubleBuffer y = b.asDoubleBuffer();
            DoubleBuffer z = to.asDoubleBuffer();
            for (int i = 0; i < z.limit(); i++) {
                z.put(i, (x.get(i) - y.get(i)) * factor);
            }
            return;
        }
        FloatBuffer x = a.asFloatBuffer();
        FloatBuffer y = b.asFloatBuffer();
        FloatBuffer z = to.asFloatBuffer();
        for (int i = 0; i < z.limit(); i++) {
            z.put(i, (float) (((double) x.get(i) - y.get(i)) * factor));
        }
    }
}
