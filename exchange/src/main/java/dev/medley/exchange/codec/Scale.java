package dev.medley.exchange.codec;

/**
 * Computes the scale of a block: the value of one level. Where an element is not finite the scale
 * is NaN, so that all elements of the block are decoded as NaN; in a block of zeros it is zero.
 */
final class Scale {
    private static final int MAGNITUDE = 0x7fff_ffff;
    private static final int INFINITY = 0x7f80_0000;

    /** Below this a level would be no normal number, whose inverse overflows. */
    private static final float LEAST = 0x1p-100f;

    /** Added to a float below 2^22, this leaves the nearest integer in the lowest bits. */
    private static final float ROUNDING = 0x1.8p23f;

    private Scale() {}

    /** The scale at which the largest magnitude among the first elements is level {@code most}. */
    static float of(float[] values, int count, float most) {
        float largest = largest(values, count);
        return largest < LEAST ? 0 : largest / most;
    }

    /** The factor that turns elements into levels; zero where all would be zero. */
    static float inverse(float scale) {
        return scale > 0 ? 1 / scale : 0;
    }

    /** The nearest level, ties to even, as a two's complement in the lowest bits. */
    static int level(float value, float inverse) {
        return Float.floatToRawIntBits(value * inverse + ROUNDING);
    }

    /** The largest magnitude, or NaN. */
    private static float largest(float[] values, int count) {
        int a = 0;
        int b = 0;
        int i = 0;
        // Magnitudes are ordered like their bits, with infinity and NaN above all numbers.
        for (; i + 1 < count; i += 2) {
            a = Math.max(a, Float.floatToRawIntBits(values[i]) & MAGNITUDE);
            b = Math.max(b, Float.floatToRawIntBits(values[i + 1]) & MAGNITUDE);
        }
        if (i < count) {
            a = Math.max(a, Float.floatToRawIntBits(values[i]) & MAGNITUDE);
        }
        int most = Math.max(a, b);
        return most >= INFINITY ? Float.NaN : Float.intBitsToFloat(most);
    }
}
