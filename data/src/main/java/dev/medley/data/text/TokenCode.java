package dev.medley.data.text;

import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.data.shard.ShardWriter;
import dev.medley.data.token.Tokenizer;
import dev.medley.data.token.Tokens;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Maps values of a text to tokens, stored in as few bytes as the vocabulary needs: 1, 2 or 4. */
final class TokenCode {
    private static final int CHUNK = 1 << 14;

    private final int bytes;
    private final int[] byCodePoint;
    private final int unknownToken;
    private final @Nullable Tokenizer tokenizer;
    private final Passage passage = new Passage();
    private long unknown;

    private TokenCode(
            int bytes, int[] byCodePoint, int unknownToken, @Nullable Tokenizer tokenizer) {
        this.bytes = bytes;
        this.byCodePoint = byCodePoint;
        this.unknownToken = unknownToken;
        this.tokenizer = tokenizer;
    }

    static TokenCode of(TextEncoding encoding) {
        int size = encoding.vocabularySize();
        int bytes = size <= 1 << 8 ? 1 : size <= 1 << 16 ? 2 : 4;
        Tokens tokens = encoding.tokens();
        if (tokens != null) {
            return new TokenCode(bytes, new int[0], 0, tokens.tokenizer());
        } else if (encoding.unit() == TextUnit.BYTES) {
            return new TokenCode(bytes, identity(), 0, null);
        }
        int last = size - 1;
        boolean hasUnknown = encoding.vocabulary().get(last).equals(TextEncoding.UNKNOWN);
        int unknownToken = hasUnknown ? last : 0;
        return new TokenCode(bytes, map(encoding), unknownToken, null);
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

    /** Takes values of the text; tokens of several may be written later, by {@link #end}. */
    void put(int[] values, int count, ShardWriter writer) throws IOException {
        if (tokenizer != null) {
            passage.add(values, count);
            write(passage.settled(tokenizer::settled), tokenizer, writer);
            return;
        }
        ByteBuffer out = writer.room(count * bytes);
        for (int i = 0; i < count; i++) {
            int token = byCodePoint[values[i]];
            if (token < 0) {
                token = unknownToken;
                unknown++;
            }
            put(token, out);
        }
    }

    /** The text ends here: all its tokens are written. */
    void end(ShardWriter writer) throws IOException {
        if (tokenizer != null) {
            write(passage.rest(), tokenizer, writer);
        }
    }

    private void write(String text, Tokenizer with, ShardWriter writer) throws IOException {
        IntStream.Builder found = IntStream.builder();
        with.encode(text, found::add);
        int[] tokens = found.build().toArray();
        for (int at = 0; at < tokens.length; at += CHUNK) {
            int count = Math.min(CHUNK, tokens.length - at);
            ByteBuffer out = writer.room(count * bytes);
            for (int i = 0; i < count; i++) {
                put(tokens[at + i], out);
            }
        }
    }

    private void put(int token, ByteBuffer out) {
        switch (bytes) {
            case 1 -> out.put((byte) token);
            case 2 -> out.putShort((short) token);
            default -> out.putInt(token);
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
