package dev.medley.data.shard;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Recognises by its first bytes a text whose characters take two or four bytes each. */
public final class WideCharset {
    /** Bytes that have to be known. */
    public static final int LOOK_BYTES = 512;

    private static final double MANY = 0.3;
    private static final double FEW = 0.1;

    private WideCharset() {}

    /** UTF-16 or UTF-32, with a mark in front or without; null of all other texts. */
    public static @Nullable Charset of(byte[] head) {
        int mark = head.length < 2 ? 0 : (head[0] & 0xFF) << 8 | head[1] & 0xFF;
        if (mark == 0xFEFF || mark == 0xFFFE) {
            boolean isWide = head.length > 3 && head[2] == 0 && head[3] == 0;
            return isWide ? Charset.forName("UTF-32") : StandardCharsets.UTF_16;
        }
        int[] zeros = new int[2];
        int[] wideZeros = new int[Integer.BYTES];
        for (int i = 0; i < head.length; i++) {
            zeros[i % 2] += head[i] == 0 ? 1 : 0;
            wideZeros[i % Integer.BYTES] += head[i] == 0 ? 1 : 0;
        }
        // Of four bytes a character leaves two empty, whatever it is.
        int characters = head.length / Integer.BYTES;
        if (characters > 0 && wideZeros[0] == characters && mark == 0) {
            return Charset.forName("UTF-32");
        } else if (characters > 0 && wideZeros[3] == characters && wideZeros[0] == 0) {
            return Charset.forName("UTF-32LE");
        }
        double many = MANY * head.length;
        return zeros[1] > many && zeros[0] < FEW * many
                ? StandardCharsets.UTF_16LE
                : zeros[0] > many && zeros[1] < FEW * many ? StandardCharsets.UTF_16BE : null;
    }
}
