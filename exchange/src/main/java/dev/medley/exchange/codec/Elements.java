package dev.medley.exchange.codec;

import dev.medley.base.memory.ElementType;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;

/** Reads and writes the elements of a buffer as float32, whatever their type. One owner. */
interface Elements {
    /** How many there are. */
    int count();

    /** Takes {@code count} of them from {@code at} on. */
    void get(int at, float[] into, int count);

    /** Sets {@code count} of them from {@code at} on. */
    void put(int at, float[] from, int count);

    /** Those of all of a buffer. */
    static Elements of(ByteBuffer buffer, ElementType type) {
        ByteBuffer all = buffer.duplicate().position(0).order(buffer.order());
        return switch (type) {
            case FLOAT32 -> new Floats(all.asFloatBuffer());
            case FLOAT64 -> new Doubles(all.asDoubleBuffer());
            case INT32, INT64, UINT8 ->
                    throw new IllegalArgumentException("codecs are for floats, not for " + type);
        };
    }

    /** Float32 as they are. */
    record Floats(FloatBuffer all) implements Elements {
        @Override
        public int count() {
            return all.limit();
        }

        @Override
        public void get(int at, float[] into, int count) {
            all.get(at, into, 0, count);
        }

        @Override
        public void put(int at, float[] from, int count) {
            all.put(at, from, 0, count);
        }
    }

    /** Float64, rounded on their way out. */
    record Doubles(DoubleBuffer all) implements Elements {
        @Override
        public int count() {
            return all.limit();
        }

        @Override
        public void get(int at, float[] into, int count) {
            for (int i = 0; i < count; i++) {
                into[i] = (float) all.get(at + i);
            }
        }

        @Override
        public void put(int at, float[] from, int count) {
            for (int i = 0; i < count; i++) {
                all.put(at + i, from[i]);
            }
        }
    }
}
