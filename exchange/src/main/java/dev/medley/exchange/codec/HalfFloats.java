package dev.medley.exchange.codec;

import java.nio.ByteBuffer;
import java.nio.ShortBuffer;

/**
 * Encodes a block in IEEE half precision, divided by a power of two that brings its largest
 * magnitude to between 2^14 and 2^15. Without that scale, sums of gradients above 65504 would
 * become infinite and those below 2^-24 zero. An element is off by at most a 2048th of itself, or
 * by 2^-39 of the block's largest.
 */
final class HalfFloats extends Codec {
    private static final int MAGNITUDE = 0x7fff_ffff;
    private static final int SIGN = 0x8000;
    private static final int DROPPED_BITS = 13;

    /** Exponents of halves begin 112 below those of floats. */
    private static final int REBASED = -112 << 23;

    /** The least normal half, as a float's bits. */
    private static final int LEAST_NORMAL = 113 << 23;

    /** Added to what is below the least normal half, this leaves the half in the lowest bits. */
    private static final float SUBNORMAL = 0.5f;

    private static final int LARGEST_EXPONENT = 14;

    @Override
    public String name() {
        return "fp16";
    }

    @Override
    public boolean isCoarse() {
        return false;
    }

    @Override
    int blockBytes(int elements) {
        return Float.BYTES + elements * Short.BYTES;
    }

    @Override
    void encodeBlock(float[] from, int count, ByteBuffer into) {
        float scale = powerOfTwo(Scale.of(from, count, 1));
        float inverse = Scale.inverse(scale);
        into.putFloat(scale);
        ShortBuffer out = into.asShortBuffer();
        for (int i = 0; i < count; i++) {
            out.put(i, (short) half(from[i] * inverse));
        }
        into.position(into.position() + count * Short.BYTES);
    }

    @Override
    void decodeBlock(ByteBuffer from, int count, float[] into) {
        float scale = from.getFloat();
        ShortBuffer in = from.asShortBuffer();
        for (int i = 0; i < count; i++) {
            into[i] = number(in.get(i)) * scale;
        }
        from.position(from.position() + count * Short.BYTES);
    }

    /** NaN and zero stay what they are. */
    private static float powerOfTwo(float largest) {
        return largest > 0 ? Math.scalb(1f, Math.getExponent(largest) - LARGEST_EXPONENT) : largest;
    }

    /** The nearest half, ties to even, of a number of at most 2^15. */
    private static int half(float value) {
        int bits = Float.floatToRawIntBits(value);
        int magnitude = bits & MAGNITUDE;
        int normal =
                magnitude + REBASED + 0xfff + (magnitude >>> DROPPED_BITS & 1) >>> DROPPED_BITS;
        int subnormal =
                Float.floatToRawIntBits(Float.intBitsToFloat(magnitude) + SUBNORMAL)
                        - Float.floatToRawIntBits(SUBNORMAL);
        return bits >>> 16 & SIGN | (magnitude < LEAST_NORMAL ? subnormal : normal);
    }

    private static float number(short half) {
        int magnitude = (half & ~SIGN & 0xffff) << DROPPED_BITS;
        return Float.intBitsToFloat(magnitude | (half & SIGN) << 16) * 0x1p112f;
    }
}
