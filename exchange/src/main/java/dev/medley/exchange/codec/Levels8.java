package dev.medley.exchange.codec;

import java.nio.ByteBuffer;

/**
 * Encodes each element as one of 255 levels, the outermost at the largest magnitude of the block.
 * So an element is off by at most a 254th of that magnitude. After QSGD (Alistarh, Grubic, Li,
 * Tomioka, Vojnovic 2017, arXiv 1610.02132) with a scale for each block, but to the nearest level
 * instead of by chance: what is left out is sent with the next step.
 */
final class Levels8 extends Codec {
    private static final float MOST = 127;

    private final byte[] levels = new byte[BLOCK_ELEMENTS];

    @Override
    public String name() {
        return "int8";
    }

    @Override
    public boolean isCoarse() {
        return true;
    }

    @Override
    int blockBytes(int elements) {
        return Float.BYTES + elements;
    }

    @Override
    void encodeBlock(float[] from, int count, ByteBuffer into) {
        float scale = Scale.of(from, count, MOST);
        float inverse = Scale.inverse(scale);
        for (int i = 0; i < count; i++) {
            levels[i] = (byte) Scale.level(from[i], inverse);
        }
        into.putFloat(scale).put(levels, 0, count);
    }

    @Override
    void decodeBlock(ByteBuffer from, int count, float[] into) {
        float scale = from.getFloat();
        from.get(levels, 0, count);
        for (int i = 0; i < count; i++) {
            into[i] = levels[i] * scale;
        }
    }
}
