package dev.medley.exchange.codec;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Encodes the sign of each element and the mean magnitude of its block. This is signSGD (Bernstein
 * et al. 2018, arXiv 1802.04434) with error feedback (Karimireddy et al. 2019, arXiv 1901.09847):
 * of all values s for which s sign(x) stands for a block the mean is the nearest. A byte holds
 * eight elements.
 */
final class Signs extends Codec {
    private final byte[] bits = new byte[BLOCK_ELEMENTS / Byte.SIZE];

    @Override
    public String name() {
        return "onebit";
    }

    @Override
    public boolean isCoarse() {
        return true;
    }

    @Override
    int blockBytes(int elements) {
        return Float.BYTES + bytes(elements);
    }

    @Override
    void encodeBlock(float[] from, int count, ByteBuffer into) {
        Arrays.fill(bits, (byte) 0);
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += Math.abs(from[i]);
            if (from[i] < 0) {
                bits[i / Byte.SIZE] |= (byte) (1 << i % Byte.SIZE);
            }
        }
        into.putFloat((float) (sum / count)).put(bits, 0, bytes(count));
    }

    @Override
    void decodeBlock(ByteBuffer from, int count, float[] into) {
        float mean = from.getFloat();
        from.get(bits, 0, bytes(count));
        for (int i = 0; i < count; i++) {
            boolean isNegative = (bits[i / Byte.SIZE] >> i % Byte.SIZE & 1) != 0;
            into[i] = isNegative ? -mean : mean;
        }
    }

    private static int bytes(int elements) {
        return (elements + Byte.SIZE - 1) / Byte.SIZE;
    }
}
