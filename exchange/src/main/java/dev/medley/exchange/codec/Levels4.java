package dev.medley.exchange.codec;

import java.nio.ByteBuffer;

/**
 * Encodes each element as one of 15 levels, the outermost at the largest magnitude of the block. It
 * is otherwise like {@link Levels8}: an element is off by at most a 14th of that magnitude. A byte
 * holds one element of the block's first half and one of its second.
 */
final class Levels4 extends Codec {
    private static final float MOST = 7;
    private static final int NIBBLE = 0xf;

    private final byte[] pairs = new byte[BLOCK_ELEMENTS / 2];

    @Override
    public String name() {
        return "int4";
    }

    @Override
    public boolean isCoarse() {
        return true;
    }

    @Override
    int blockBytes(int elements) {
        return Float.BYTES + pairs(elements);
    }

    @Override
    void encodeBlock(float[] from, int count, ByteBuffer into) {
        float scale = Scale.of(from, count, MOST);
        float inverse = Scale.inverse(scale);
        int half = pairs(count);
        for (int i = 0; i < count - half; i++) {
            int low = Scale.level(from[i], inverse) & NIBBLE;
            pairs[i] = (byte) (low | Scale.level(from[half + i], inverse) << 4);
        }
        if (count < 2 * half) {
            pairs[half - 1] = (byte) (Scale.level(from[half - 1], inverse) & NIBBLE);
        }
        into.putFloat(scale).put(pairs, 0, half);
    }

    @Override
    void decodeBlock(ByteBuffer from, int count, float[] into) {
        float scale = from.getFloat();
        int half = pairs(count);
        from.get(pairs, 0, half);
        for (int i = 0; i < half; i++) {
            into[i] = (pairs[i] << 28 >> 28) * scale;
        }
        for (int i = half; i < count; i++) {
            into[i] = (pairs[i - half] >> 4) * scale;
        }
    }

    private static int pairs(int elements) {
        return (elements + 1) / 2;
    }
}
