package dev.medley.data.table.csv;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The unusual features of a text's bytes: line ends of several kinds, and bytes that are no text.
 * Eight bytes are examined together, so that this costs little beside the reading of a table.
 *
 * @param lineEnds kinds of line ends, quoted or not, as {@link CsvRecords} adds them up
 * @param padding where NUL bytes, or the end mark of DOS, begin that fill the rest of the file; its
 *     length if there are none
 * @param nulBefore a NUL byte that text follows; -1 if there is none
 * @param bytes in all
 * @param hasSpacedValues whether some value may have a space before or behind it
 * @param hasQuotedLines whether some value runs over several lines, and all have an end
 */
record CsvScan(
        int lineEnds,
        long padding,
        long nulBefore,
        long bytes,
        boolean hasSpacedValues,
        boolean hasQuotedLines) {
    private static final int CHUNK_BYTES = 1 << 18;
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final int END_MARK = 0x1A;
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** Looks at all bytes of a text whose values end at {@code delimiter}. */
    static CsvScan of(InputStream in, String delimiter) throws IOException {
        Pass pass = new Pass(delimiter);
        byte[] chunk = new byte[CHUNK_BYTES];
        for (int count; (count = in.readNBytes(chunk, 0, CHUNK_BYTES)) > 0; ) {
            pass.add(chunk, count);
        }
        return pass.end();
    }

    boolean hasOneLineEnd() {
        return Integer.bitCount(lineEnds) <= 1;
    }

    private static final class Pass {
        private int lineEnds;
        private int previous = -1;
        private long position;
        private long padding = -1;
        private long nul = -1;
        private long nulBefore = -1;
        private final boolean[] isEdge = new boolean[256];
        private boolean hasSpacedValues;
        private int last = '\n';
        private final QuotedLines quoted;

        Pass(String delimiter) {
            quoted = new QuotedLines(delimiter);
            for (byte b : (delimiter + "\n\r\"").getBytes(StandardCharsets.UTF_8)) {
                isEdge[b & 0xFF] = true;
            }
        }

        void add(byte[] chunk, int count) {
            if (!hasSpacedValues) {
                lookForSpaces(chunk, count);
            }
            quoted.add(chunk, count, has(chunk, count, '"'));
            if (padding < 0 && previous != '\r' && isUsual(chunk, count)) {
                if ((lineEnds & CsvRecords.LF) == 0 && has(chunk, count, '\n')) {
                    lineEnds |= CsvRecords.LF;
                }
                previous = chunk[count - 1];
                position += count;
                return;
            }
            for (int i = 0; i < count; i++, position++) {
                add(chunk[i]);
            }
        }

        private void lookForSpaces(byte[] chunk, int count) {
            if (last == ' ' || last > 127 || has(chunk, count, ' ') || !isAscii(chunk, count)) {
                for (int i = 0; i < count && !hasSpacedValues; i++) {
                    int c = chunk[i] & 0xFF;
                    hasSpacedValues =
                            (isEdge[last] && mayBeginSpace(c)) || (isEdge[c] && mayEndSpace(last));
                    last = c;
                }
            }
            last = chunk[count - 1] & 0xFF;
        }

        /** A space, or the first byte of one that is not of ASCII: U+00A0, U+2003, U+3000. */
        private static boolean mayBeginSpace(int c) {
            return c == ' ' || c == 0xC2 || (c >= 0xE1 && c <= 0xE3);
        }

        private static boolean mayEndSpace(int c) {
            return c == ' ' || (c >= 0x80 && c <= 0x8A) || c == 0x9F || c == 0xA0 || c == 0xAF;
        }

        private void add(byte c) {
            if (c == '\n') {
                lineEnds |= previous == '\r' ? CsvRecords.CRLF : CsvRecords.LF;
            } else {
                lineEnds |= previous == '\r' ? CsvRecords.CR : 0;
                if (c == 0 || c == END_MARK) {
                    padding = padding < 0 ? position : padding;
                    nul = c == 0 && nul < 0 ? position : nul;
                } else if (c != '\r') {
                    nulBefore = nulBefore < 0 ? nul : nulBefore;
                    padding = -1;
                }
            }
            previous = c;
        }

        CsvScan end() {
            lineEnds |= previous == '\r' ? CsvRecords.CR : 0;
            return new CsvScan(
                    lineEnds,
                    padding < 0 ? position : padding,
                    nulBefore,
                    position,
                    hasSpacedValues || mayEndSpace(last),
                    quoted.areWhole());
        }
    }

    private static boolean isAscii(byte[] chunk, int count) {
        int i = 0;
        for (; i + Long.BYTES <= count; i += Long.BYTES) {
            if (((long) LONGS.get(chunk, i) & HIGHS) != 0) {
                return false;
            }
        }
        for (; i < count; i++) {
            if (chunk[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether there is neither a carriage return nor padding. */
    private static boolean isUsual(byte[] chunk, int count) {
        int i = 0;
        for (; i + Long.BYTES <= count; i += Long.BYTES) {
            long v = (long) LONGS.get(chunk, i);
            if ((zeros(v) | zeros(v ^ ONES * '\r') | zeros(v ^ ONES * END_MARK)) != 0) {
                return false;
            }
        }
        for (; i < count; i++) {
            if (chunk[i] == 0 || chunk[i] == '\r' || chunk[i] == END_MARK) {
                return false;
            }
        }
        return true;
    }

    private static long zeros(long v) {
        return (v - ONES) & ~v & HIGHS;
    }

    private static boolean has(byte[] chunk, int count, char wanted) {
        int i = 0;
        for (; i + Long.BYTES <= count; i += Long.BYTES) {
            if (zeros((long) LONGS.get(chunk, i) ^ ONES * wanted) != 0) {
                return true;
            }
        }
        for (; i < count; i++) {
            if (chunk[i] == wanted) {
                return true;
            }
        }
        return false;
    }
}
