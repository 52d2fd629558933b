package dev.medley.data.table.csv;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Cuts the bytes of a CSV file into records as DuckDB does. A quotation mark opens a value only at
 * its beginning, and line ends between marks belong to the value. Lines are counted as editors do.
 *
 * <p>Thread: one.
 */
public final class CsvRecords implements AutoCloseable {
    /** What quoted values may follow where the delimiter is not known yet. */
    static final String ANY_DELIMITER = ",;\t|";

    /** Of a text without quoted values. */
    public static final String NO_QUOTES = "";

    static final int LF = 1;
    static final int CRLF = 2;
    static final int CR = 4;

    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream in;
    private final OutputStream content;
    private final String delimiters;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int at;
    private int limit;
    private long position;
    private long mostBytes = Long.MAX_VALUE;
    private long filledBytes;
    private long mostRecordBytes = Long.MAX_VALUE;
    private long nextLine = 1;
    private long line;
    private long bytes;
    private int lineEnds;

    /**
     * Cuts {@code in}, which it closes.
     *
     * @param delimiters characters that end a value
     * @param content takes the bytes of each record, without those that end its line, and without a
     *     byte order mark
     */
    CsvRecords(InputStream in, String delimiters, OutputStream content) {
        this.in = in;
        this.delimiters = delimiters;
        this.content = content;
    }

    /** The same of the first bytes only. */
    CsvRecords upTo(long most) {
        mostBytes = most;
        return this;
    }

    /** The same with longer records cut into pieces of that many bytes. */
    CsvRecords cutAt(long most) {
        mostRecordBytes = most;
        return this;
    }

    /** Goes to the next record; false at the end of the file. */
    boolean next() throws IOException {
        line = nextLine;
        bytes = 0;
        boolean isQuoted = false;
        boolean canOpen = !delimiters.isEmpty();
        int c = position == 0 ? first() : read();
        if (c < 0) {
            return false;
        }
        for (; c >= 0; c = bytes < mostRecordBytes ? read() : -1) {
            if (c == '\n' || c == '\r') {
                boolean isPair = c == '\r' && peek() == '\n';
                if (!isQuoted) {
                    lineEnds |= isPair ? CRLF : c == '\n' ? LF : CR;
                    nextLine++;
                    if (isPair) {
                        read();
                    }
                    return true;
                }
                nextLine += isPair ? 0 : 1;
            } else if (c == '"' && isQuoted) {
                if (peek() == '"') {
                    put(read());
                } else {
                    isQuoted = false;
                }
            } else if (c == '"' && canOpen) {
                isQuoted = true;
            }
            canOpen = !isQuoted && (delimiters.indexOf(c) >= 0 || (canOpen && c == ' '));
            put(c);
        }
        return true;
    }

    /** The first byte behind the record and its line end. */
    long end() {
        return position;
    }

    /** The line that the record begins on, from 1. */
    long line() {
        return line;
    }

    /** Whether there is nothing on its line. */
    boolean isBlank() {
        return bytes == 0;
    }

    /** The kinds of line ends between records so far, as a sum of LF, CRLF and CR. */
    int lineEnds() {
        return lineEnds;
    }

    private void put(int c) throws IOException {
        bytes++;
        content.write(c);
    }

    /** The first byte behind a byte order mark. */
    private int first() throws IOException {
        fill();
        int mark = 0;
        while (mark < BYTE_ORDER_MARK.length
                && mark < limit
                && buffer[mark] == BYTE_ORDER_MARK[mark]) {
            mark++;
        }
        if (mark == BYTE_ORDER_MARK.length) {
            at = mark;
            position = mark;
        }
        return read();
    }

    private int read() throws IOException {
        int c = peek();
        if (c >= 0) {
            at++;
            position++;
        }
        return c;
    }

    private int peek() throws IOException {
        if (at == limit) {
            fill();
        }
        return at < limit ? buffer[at] & 0xFF : -1;
    }

    private void fill() throws IOException {
        at = 0;
        limit = in.readNBytes(buffer, 0, (int) Math.min(buffer.length, mostBytes - filledBytes));
        filledBytes += limit;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
