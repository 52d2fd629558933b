package dev.medley.training.strategy;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.NamedSpan;
import dev.medley.base.memory.Span;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/** Computes over spans in plain Java, in index order. */
public final class Memory {
    private Memory() {}

    /** How many bytes the spans take together. */
    public static long bytes(List<NamedSpan> spans) {
        return spans.stream().mapToLong(span -> span.data().bytes()).sum();
    }

    /**
     * No letter about parameters, or about changes of them, has a longer body: a codec may lengthen
     * what it cannot make short.
     */
    public static long mostLetterBytes(Span parameters) {
        return 2 * parameters.bytes() + (1 << 20);
    }

    /** Copies each span to the one of the same name and length, where there is one. */
    public static void copy(List<NamedSpan> from, List<NamedSpan> to) {
        for (NamedSpan target : to) {
            from.stream()
                    .filter(source -> source.name().equals(target.name()))
                    .filter(source -> source.data().bytes() == target.data().bytes())
                    .findFirst()
                    .ifPresent(source -> target.data().copyFrom(source.data()));
        }
    }

    /** {@code into = (from - minus) * factor}, element by element; FLOAT32 or FLOAT64. */
    public static void difference(
            Span from, Span minus, double factor, Span into, ElementType type) {
        combine(from, minus, into, type, (x, y) -> (x - y) * factor);
    }

    /** {@code into += (from - minus) * factor}, element by element; FLOAT32 or FLOAT64. */
    public static void addDifference(
            Span from, Span minus, double factor, Span into, ElementType type) {
        each(from, minus, into, type, (x, y, z) -> z + (x - y) * factor);
    }

    /**
     * {@code into = rule(one, other)}, element by element in doubles; FLOAT32 or FLOAT64. The spans
     * are as long as each other and may be the same.
     */
    public static void combine(
            Span one, Span other, Span into, ElementType type, DoubleBinaryOperator rule) {
        each(one, other, into, type, (x, y, z) -> rule.applyAsDouble(x, y));
    }

    /** Computes an element from two others and from what it was. */
    @FunctionalInterface
    private interface Rule {
        double apply(double one, double other, double before);
    }

    private static void each(Span one, Span other, Span into, ElementType type, Rule rule) {
        long done = 0;
        for (ByteBuffer a : one.buffers()) {
            // Spans may begin at different places of their chunks: cut where any of them does.
            for (ByteBuffer b : other.slice(done, a.remaining()).buffers()) {
                for (ByteBuffer to : into.slice(done, b.remaining()).buffers()) {
                    ByteBuffer left = a.slice(a.position(), to.remaining()).order(a.order());
                    ByteBuffer right = b.slice(b.position(), to.remaining()).order(b.order());
                    a.position(a.position() + to.remaining());
                    b.position(b.position() + to.remaining());
                    done += to.remaining();
                    each(left, right, to, type, rule);
                }
            }
        }
    }

    /** The largest element, 0 at least; FLOAT32 or FLOAT64. */
    static double largest(Span span, ElementType type) {
        double largest = 0;
        for (ByteBuffer piece : span.buffers()) {
            while (piece.hasRemaining()) {
                boolean isDouble = type == ElementType.FLOAT64;
                largest = Math.max(largest, isDouble ? piece.getDouble() : piece.getFloat());
            }
        }
        return largest;
    }

    /** Sum of the squares of all elements, no number where one is none; FLOAT32 or FLOAT64. */
    public static double squaredNorm(Span span, ElementType type) {
        double sum = 0;
        for (ByteBuffer piece : span.buffers()) {
            while (piece.hasRemaining()) {
                boolean isDouble = type == ElementType.FLOAT64;
                double value = isDouble ? piece.getDouble() : piece.getFloat();
                sum += value * value;
            }
        }
        return sum;
    }

    private static void each(
            ByteBuffer a, ByteBuffer b, ByteBuffer to, ElementType type, Rule rule) {
        if (type == ElementType.FLOAT64) {
            DoubleBuffer x = a.asDoubleBuffer();
            DoubleBuffer y = b.asDoubleBuffer();
            DoubleBuffer z = to.asDoubleBuffer();
            for (int i = 0; i < z.limit(); i++) {
                z.put(i, rule.apply(x.get(i), y.get(i), z.get(i)));
            }
            return;
        }
        FloatBuffer x = a.asFloatBuffer();
        FloatBuffer y = b.asFloatBuffer();
        FloatBuffer z = to.asFloatBuffer();
        for (int i = 0; i < z.limit(); i++) {
            z.put(i, (float) rule.apply(x.get(i), y.get(i), z.get(i)));
        }
    }
}
