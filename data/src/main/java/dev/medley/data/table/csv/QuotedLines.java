package dev.medley.data.table.csv;

import java.nio.charset.StandardCharsets;

/**
 * Finds line ends within quoted values, by the rules of {@link CsvRecords}, in a text that comes in
 * chunks. A chunk without a quotation mark costs next to nothing.
 */
final class QuotedLines {
    private static final int MARK_BYTES = 3;

    private final boolean[] isBefore = new boolean[256];
    private boolean isFound;
    private boolean isQuoted;
    private boolean canOpen = true;
    private boolean isClosed;
    private long position;

    /** In a text whose values end at {@code delimiter}. */
    QuotedLines(String delimiter) {
        String last = delimiter.substring(Math.max(0, delimiter.length() - 1));
        for (byte b : (last + "\n\r").getBytes(StandardCharsets.UTF_8)) {
            isBefore[b & 0xFF] = true;
        }
    }

    /** Whether there was one, in a text of which all values have ended. */
    boolean areWhole() {
        return isFound && !isQuoted;
    }

    /** Takes the next bytes. */
    void add(byte[] chunk, int count, boolean hasMarks) {
        boolean isBeginning = position < MARK_BYTES; // It may be a byte order mark alone.
        if (hasMarks || isQuoted || isBeginning) {
            for (int i = 0; i < count; i++) {
                add(chunk[i] & 0xFF, position + i);
            }
        } else {
            pass(chunk, count);
        }
        position += count;
    }

    private void pass(byte[] chunk, int count) {
        int i = count - 1;
        while (i >= 0 && chunk[i] == ' ') {
            i--;
        }
        canOpen = i < 0 ? canOpen : isBefore[chunk[i] & 0xFF];
        isClosed = false;
    }

    private void add(int c, long at) {
        if (c == '"' && isQuoted) {
            isQuoted = false;
            isClosed = true;
            return;
        }
        if (c == '"') {
            isQuoted = canOpen || isClosed; // A mark behind a mark is one of the value.
        }
        isFound |= isQuoted && (c == '\n' || c == '\r');
        isClosed = false;
        boolean isByteOrderMark = at < MARK_BYTES && c >= 0x80;
        canOpen = !isQuoted && (isBefore[c] || isByteOrderMark || (canOpen && c == ' '));
    }
}
