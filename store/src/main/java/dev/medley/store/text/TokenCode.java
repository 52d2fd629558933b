package dev.medley.store.text;

import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.store.encoding.TextEncoding;
import dev.medley.store.shard.ShardWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Values of a text to tokens, stored in as few bytes as the vocabulary needs: 1, 2 or 4. */
final class TokenCode {
    private final int bytes;
    private final int[] byCodePoint;

    private TokenCode(int bytes, int[] byCodePoint) {
        this.bytes = bytes;
        this.byCodePoint = byCodePoint;
    }

    static TokenCode of(TextEncoding encoding) {
        int size = encoding.vocabularySize();
        int bytes = size <= 1 << 8 ? 1 : size <= 1 << 16 ? 2 : 4;
        return new TokenCode(bytes, encoding.unit() == TextUnit.BYTES ? identity() : map(encoding));
    }

    /** Bytes of one stored token. */
    int bytes() {
        return bytes;
    }

    void put(int[] values, int count, ShardWriter writer) throws IOException {
        ByteBuffer out = writer.room(count * bytes);
        for (int i = 0; i < count; i++) {
            int token = byCodePoint[values[i]];
            switch (bytes) {
                case 1 -> out.put((byte) token);
                case 2 -> out.putShort((short) token);
                default -> out.putInt(token);
            }
        }
    }

    private static int[] identity() {
        int[] codes = new int[1 << 8];
        Arrays.setAll(codes, i -> i);
        return codes;
    }

    /**
     * Unknown characters become the last token if the vocabulary has one for them, else the first.
     */
    private static int[] map(TextEncoding encoding) {
        List<String> vocabulary = encoding.vocabulary();
        int[] codes = new int[Character.MAX_CODE_POINT + 1];
        int last = vocabulary.size() - 1;
        boolean unknown = vocabulary.get(last).equals(TextEncoding.UNKNOWN);
        Arrays.fill(codes, unknown ? last : 0);
        for (int i = 0; i < vocabulary.size(); i++) {
            codes[vocabulary.get(i).codePointAt(0)] = i;
        }
        return codes;
    }
}
