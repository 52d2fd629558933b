package dev.medley.data.text;

import static dev.medley.base.ConfigException.check;

import dev.medley.data.shard.WideCharset;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Reads one file as code points, of UTF-8, or of UTF-16 and UTF-32 where it begins as such a text
 * does; a byte order mark is none of them. What is no character is the user's error, with its line.
 */
final class CharacterReader {
    private static final int CHUNK = 1 << 14;
    private static final int MARK = 0xFEFF;

    private final Path file;
    private final TextReader.Sink sink;
    private final ByteBuffer bytes = ByteBuffer.allocate(CHUNK);
    private final CharBuffer chars = CharBuffer.allocate(CHUNK);
    private final int[] values = new int[CHUNK];
    private long line = 1;
    private int high = -1;
    private int last = -1;

    CharacterReader(Path file, TextReader.Sink sink) {
        this.file = file;
        this.sink = sink;
    }

    /** Reads all of it; returns the last code point, or -1 where there is none. */
    int read(InputStream in) throws IOException {
        in.mark(WideCharset.LOOK_BYTES);
        Charset wide = WideCharset.of(in.readNBytes(WideCharset.LOOK_BYTES));
        in.reset();
        Charset charset = wide == null ? StandardCharsets.UTF_8 : wide;
        CharsetDecoder decoder = charset.newDecoder();
        boolean isEnd = false;
        while (!isEnd) {
            int count = in.read(bytes.array(), bytes.position(), bytes.remaining());
            isEnd = count < 0;
            bytes.position(bytes.position() + Math.max(0, count)).flip();
            CoderResult result = CoderResult.OVERFLOW;
            while (result.isOverflow()) {
                result = decoder.decode(bytes, chars, isEnd);
                take();
            }
            check(
                    !result.isError(),
                    "%s, line %d: is not %s: %s",
                    file,
                    line,
                    charset,
                    wide == null
                            ? "convert the file, as with iconv -f LATIN1 -t UTF-8, or set"
                                    + " data.text.unit: bytes"
                            : "save the file as UTF-8");
            bytes.compact();
        }
        return last;
    }

    private void take() throws IOException {
        chars.flip();
        int filled = 0;
        while (chars.hasRemaining()) {
            char c = chars.get();
            if (Character.isHighSurrogate(c)) {
                high = c;
            } else {
                int value = high < 0 ? c : Character.toCodePoint((char) high, c);
                high = -1;
                line += value == '\n' ? 1 : 0;
                if (value != MARK || last >= 0 || filled > 0) {
                    values[filled++] = value;
                }
            }
        }
        chars.clear();
        if (filled > 0) {
            sink.accept(values, filled);
            last = values[filled - 1];
        }
    }
}
