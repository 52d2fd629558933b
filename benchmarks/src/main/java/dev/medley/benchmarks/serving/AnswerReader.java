package dev.medley.benchmarks.serving;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;

/** Reads one answer of HTTP/1.1 piece by piece, its body by length or in chunks. */
final class AnswerReader {
    private byte[] bytes = new byte[4096];
    private int size;
    private int headEnd;
    private int length;
    private int status;
    private boolean isChunked;
    private boolean isLast;

    AnswerReader() {
        clear();
    }

    void clear() {
        size = 0;
        headEnd = -1;
        length = 0;
        isChunked = false;
        isLast = false;
    }

    void add(ByteBuffer more) {
        int count = more.remaining();
        if (size + count > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + count));
        }
        more.get(bytes, size, count);
        size += count;
    }

    boolean isWhole() {
        if (headEnd < 0) {
            headEnd = find(0, "\r\n\r\n");
            if (headEnd < 0) {
                return false;
            }
            head(new String(bytes, 0, headEnd, ISO_8859_1).toLowerCase(Locale.ROOT));
            headEnd += 4;
        }
        return isChunked ? find(headEnd, "0\r\n\r\n") >= 0 : size >= headEnd + length;
    }

    private void head(String head) {
        status = Integer.parseInt(head.substring(9, 12));
        for (String line : head.split("\r\n", -1)) {
            if (line.startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
            isChunked |= line.startsWith("transfer-encoding:") && line.contains("chunked");
            isLast |= line.startsWith("connection:") && line.contains("close");
        }
    }

    int status() {
        return status;
    }

    boolean isLast() {
        return isLast;
    }

    String body() {
        return new String(bytes, headEnd, size - headEnd, ISO_8859_1);
    }

    private int find(int from, String word) {
        for (int i = from; i + word.length() <= size; i++) {
            int j = 0;
            while (j < word.length() && bytes[i + j] == word.charAt(j)) {
                j++;
            }
            if (j == word.length()) {
                return i;
            }
        }
        return -1;
    }
}
