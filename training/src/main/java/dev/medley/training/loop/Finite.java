package dev.medley.training.loop;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;

/** Tells finite numbers from others in native memory. */
final class Finite {
    private Finite() {}

    /** Whether all elements are finite; the type is FLOAT32 or FLOAT64. */
    static boolean all(Span span, ElementType type) {
        for (ByteBuffer chunk : span.buffers()) {
            boolean isFinite =
                    type == ElementType.FLOAT64
                            ? all(chunk.asDoubleBuffer())
                            : all(chunk.asFloatBuffer());
            if (!isFinite) {
                return false;
            }
        }
        return true;
    }

    private static boolean all(FloatBuffer values) {
        while (values.hasRemaining()) {
            if (!Float.isFinite(values.get())) {
                return false;
            }
        }
        return true;
    }

    private static boolean all(DoubleBuffer values) {
        while (values.hasRemaining()) {
            if (!Double.isFinite(values.get())) {
                return false;
            }
        }
        return true;
    }
}
