package dev.medley.data.table.csv;

import dev.medley.data.shard.InputFiles;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Finds lines for messages, by reading a file anew up to them. A message comes once, and to keep
 * the place of every row would cost all who need none.
 *
 * @param text that is read
 * @param delimiter at which its values end; empty where values have no quotation marks
 */
public record CsvLines(CsvText text, String delimiter) {
    /**
     * The line of a byte of the text, from 1; of one in blank lines, the next that is not blank.
     */
    public long at(long position) {
        long line = 1;
        int previous = -1;
        try (InputStream in = text.open()) {
            for (long i = 0; ; i++) {
                int c = in.read();
                boolean isEnd = c == '\n' || c == '\r';
                if (c < 0 || (i >= position && !isEnd)) {
                    return line;
                }
                line += isEnd && !(c == '\n' && previous == '\r') ? 1 : 0;
                previous = c;
            }
        } catch (IOException e) {
            throw InputFiles.broken(text.file(), e);
        }
    }

    /**
     * The line that a row begins on; 0 if there is no such row.
     *
     * @param row its number among those that were read, from 0
     * @param firstLine that rows may begin on
     * @param blank whether a line without anything is a row
     * @param rejected the first bytes of the rows that were not read, or of blank lines before
     *     them, in order
     */
    public long ofRow(long row, long firstLine, Blank blank, long[] rejected) {
        long rows = 0;
        int passed = 0;
        try (CsvRecords records = text.records(delimiter, OutputStream.nullOutputStream())) {
            while (records.next()) {
                if (records.line() < firstLine || (blank == Blank.NOTHING && records.isBlank())) {
                    continue;
                }
                boolean isRejected = passed < rejected.length && rejected[passed] < records.end();
                if (isRejected) {
                    passed++;
                } else if (rows++ == row) {
                    return records.line();
                }
            }
        } catch (IOException e) {
            throw InputFiles.broken(text.file(), e);
        }
        return 0;
    }

    /** What a line without anything is. */
    public enum Blank {
        ROW,
        NOTHING
    }
}
