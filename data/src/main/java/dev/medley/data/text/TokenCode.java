package dev.medley.data.text;

import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.shard.ShardWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Maps values of a text to tokens, stored in as few bytes as the vocabulary needs: 1, 2 or 4. */
final class TokenCode {
    private final int bytes;
    private final int[] byCodePoint;
    private final int unknownToken;
    private long unknown;

    private TokenCode(int bytes, int[] byCodePoint, int unknownToken) {
        this.bytes = bytes;
        this.byCodePoint = byCodePoint;
        this.unknownToken = unknownToken;
    }

    static TokenCode of(TextEncoding encoding) {
        int size = encoding.vocabularySize();
        int bytes = size <= 1 << 8 ? 1 : size <= 1 << 16 ? 2 : 4;
        if (encoding.unit() == TextUnit.BYTES) {
            return new TokenCode(bytes, identity(), 0);
        }
        int last = size - 1;
        boolean hasUnknown = encoding.vocabulary().get(last).equals(TextEncoding.UNKNOWN);
        int unknownToken = hasUnknown ? last : 0;
        return new TokenCode(bytes, map(encoding), unknownToken);
    }

    /** Bytes of one stored token. */
    int bytes() {
        return bytes;
    }

    /** Values put so far that the vocabulary does not have. */
    long unknown() {
        return unknown;
    }

    /**
     * What unknown characters become: the last token if the vocabulary has one for them, else the
     * first.
     */
    int unknownToken() {
        return unknownToken;
    }

    void put(int[] values, int count, ShardWriter writer) throws IOException {
        ByteBuffer out = writer.room(count * bytes);
        for (int i = 0; i < count; i++) {
            int token = byCodePoint[values[i]];
            if (token < 0) {
                token = unknownToken;
                unknown++;
            }
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

    /** Unknown characters are -1. */
    private static int[] map(TextEncoding encoding) {
        List<String> vocabulary = encoding.vocabulary();
        int[] codes = new int[Character.MAX_CODE_POINT + 1];
        Arrays.fill(codes, -1);
        for (int i = 0; i < vocabulary.size(); i++) {
            codes[vocabulary.get(i).codePointAt(0)] = i;
        }
        return codes;
    }
}
