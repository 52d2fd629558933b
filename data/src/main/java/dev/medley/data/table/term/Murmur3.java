package dev.medley.data.table.term;

import java.nio.charset.StandardCharsets;

/** Computes MurmurHash3 (Appleby), 32 bits with seed 0, of the UTF-8 of a text. */
final class Murmur3 {
    private static final int C1 = 0xcc9e2d51;
    private static final int C2 = 0x1b873593;

    private Murmur3() {}

    static int of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int hash = 0;
        int whole = bytes.length / 4 * 4;
        for (int i = 0; i < whole; i += 4) {
            int block =
                    (bytes[i] & 0xff)
                            | (bytes[i + 1] & 0xff) << 8
                            | (bytes[i + 2] & 0xff) << 16
                            | bytes[i + 3] << 24;
            hash = Integer.rotateLeft(hash ^ mixed(block), 13) * 5 + 0xe6546b64;
        }
        int rest = 0;
        for (int i = bytes.length - 1; i >= whole; i--) {
            rest = rest << 8 | (bytes[i] & 0xff);
        }
        hash ^= mixed(rest) ^ bytes.length;
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    private static int mixed(int block) {
        return Integer.rotateLeft(block * C1, 15) * C2;
    }
}
