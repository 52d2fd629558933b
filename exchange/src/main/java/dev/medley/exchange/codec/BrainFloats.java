package dev.medley.exchange.codec;

import java.nio.ByteBuffer;
import java.nio.ShortBuffer;

/**
 * Encodes each element as the upper half of its float32: all of its range, 8 bits of precision. So
 * an element is off by at most a 256th of itself. Numbers beyond the largest bf16 become infinite.
 */
final class BrainFloats extends Codec {
    private static final int HALF = 0x7fff;
    private static final int INFINITY = 0x7f80_0000;
    private static final int NOT_A_NUMBER = 0x7fc0;
    private static final int MAGNITUDE = 0x7fff_ffff;

    @Override
    public String name() {
        return "bf16";
    }

    @Override
    public boolean isCoarse() {
        return false;
    }

    @Override
    int blockBytes(int elements) {
        return elements * Short.BYTES;
    }

    @Override
    void encodeBlock(float[] from, int count, ByteBuffer into) {
        ShortBuffer out = into.asShortBuffer();
        for (int i = 0; i < count; i++) {
            out.put(i, narrow(from[i]));
        }
        into.position(into.position() + blockBytes(count));
    }

    @Override
    void decodeBlock(ByteBuffer from, int count, float[] into) {
        ShortBuffer in = from.asShortBuffer();
        for (int i = 0; i < count; i++) {
            into[i] = widen(in.get(i));
        }
        from.position(from.position() + blockBytes(count));
    }

    /** The nearest brain float, ties to even. */
    static short narrow(float value) {
        int bits = Float.floatToRawIntBits(value);
        int rounded = bits + HALF + (bits >>> 16 & 1) >>> 16;
        // Rounding would carry some NaNs over into numbers.
        return (short) ((bits & MAGNITUDE) > INFINITY ? NOT_A_NUMBER : rounded);
    }

    /** The same number as a float32. */
    static float widen(short narrow) {
        return Float.intBitsToFloat(narrow << 16);
    }
}
