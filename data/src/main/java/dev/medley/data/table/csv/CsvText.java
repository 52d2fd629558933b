package dev.medley.data.table.csv;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.data.shard.InputFiles;
import dev.medley.data.shard.WideCharset;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A CSV file as DuckDB can read it: UTF-8, with one kind of line ends and without padding. A file
 * that is not so is written anew, line for line, into the scratch folder.
 *
 * @param file the user's
 * @param read what is read instead, or the same
 * @param isGzip whether that is packed
 * @param hasSpacedValues whether some value may have a space before or behind it
 * @param hasQuotedLines whether some value runs over several lines, and all have an end
 * @param notes what was done with it, for people
 */
public record CsvText(
        Path file,
        Path read,
        boolean isGzip,
        boolean hasSpacedValues,
        boolean hasQuotedLines,
        List<String> notes) {
    private static final int LONGEST_LINE_BYTES = 2_000_000;

    public CsvText {
        notes = List.copyOf(notes);
    }

    /** A file that is read as it is, and of which nothing is known. */
    public static CsvText plain(Path file) {
        return new CsvText(file, file, false, true, true, List.of());
    }

    /** A file of gzip's that is read as it is, and of which nothing is known. */
    public static CsvText gzip(Path file) {
        return new CsvText(file, file, true, true, true, List.of());
    }

    /** Opens a file; one in UTF-16 or UTF-32 is written to {@code scratch} in UTF-8. */
    static CsvText of(Path file, Path scratch) {
        try {
            Charset charset = charset(file);
            if (charset == null) {
                return InputFiles.isGzip(file) ? gzip(file) : plain(file);
            }
            Path copy = Files.createTempFile(scratch, "text", ".csv");
            try (InputStreamReader in =
                            new InputStreamReader(InputFiles.open(file), charset.newDecoder());
                    Writer out = new OutputStreamWriter(output(copy), StandardCharsets.UTF_8)) {
                in.transferTo(out);
            }
            return new CsvText(
                    file,
                    copy,
                    false,
                    true,
                    true,
                    List.of(file + ": is read as " + charset + ", not as UTF-8"));
        } catch (CharacterCodingException e) {
            throw new ConfigException(
                    file + ": looks like UTF-16, but is none: save it as UTF-8", e);
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
    }

    /** The encoding of a file that is not written in bytes; null for others. */
    private static @Nullable Charset charset(Path file) throws IOException {
        try (InputStream in = InputFiles.openText(file)) {
            return WideCharset.of(in.readNBytes(WideCharset.LOOK_BYTES));
        }
    }

    /** The same without what the engine stumbles over, where values end at {@code delimiter}. */
    CsvText tidied(String delimiter, Path scratch) {
        try (InputStream in = open()) {
            CsvScan scan = CsvScan.of(in, delimiter);
            check(
                    scan.nulBefore() < 0,
                    "%s, line %d: there is a NUL byte in the text: the file is damaged or no text;"
                            + " write it anew, or remove them, as with tr -d '\\000'",
                    file,
                    scan.nulBefore() < 0 ? 0 : new CsvLines(this, delimiter).at(scan.nulBefore()));
            check(
                    scan.padding() > 0,
                    "%s: holds NUL bytes only: what it held is lost, as after a crash; fetch it"
                            + " again",
                    file);
            boolean isPadded = scan.padding() < scan.bytes();
            boolean isMixed = !scan.hasOneLineEnd() && hasMixedEnds(delimiter);
            if (!isPadded && !isMixed) {
                return new CsvText(
                        file, read, isGzip, scan.hasSpacedValues(), scan.hasQuotedLines(), notes);
            }
            List<String> all = new ArrayList<>(notes);
            if (isPadded) {
                all.add(
                        file
                                + ": ends with NUL bytes or the like, as after a crash: they are"
                                + " left out, and its last row may be cut off");
            }
            if (isMixed) {
                all.add(file + ": has line ends of several kinds; each of them ends a line");
            }
            return new CsvText(
                    file,
                    rewritten(delimiter, scan, scratch),
                    false,
                    scan.hasSpacedValues(),
                    scan.hasQuotedLines(),
                    all);
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
    }

    private boolean hasMixedEnds(String delimiter) throws IOException {
        try (CsvRecords records = records(delimiter, OutputStream.nullOutputStream())) {
            while (records.next()) {
                if (Integer.bitCount(records.lineEnds()) > 1) {
                    return true;
                }
            }
            return false;
        }
    }

    private Path rewritten(String delimiter, CsvScan scan, Path scratch) throws IOException {
        Path copy = Files.createTempFile(scratch, "text", ".csv");
        try (OutputStream out = output(copy);
                CsvRecords records = records(delimiter, out).upTo(scan.padding())) {
            while (records.next()) {
                out.write('\n');
            }
        }
        return copy;
    }

    private static OutputStream output(Path file) throws IOException {
        return new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    }

    /** The bytes that are read, unpacked. */
    InputStream open() throws IOException {
        return InputFiles.open(read);
    }

    /**
     * Cuts the text; values end at {@code delimiter}, or have no quotation marks if it is empty.
     */
    CsvRecords records(String delimiter, OutputStream content) throws IOException {
        // Of a delimiter of several characters the last one is what a value follows.
        String last = delimiter.substring(Math.max(0, delimiter.length() - 1));
        return new CsvRecords(open(), last, content);
    }

    /** A record with the line that it begins on. */
    record Line(long number, String text) {}

    /** The first records that are not blank. */
    List<Line> first(int count) {
        List<Line> lines = new ArrayList<>();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (CsvRecords records =
                new CsvRecords(open(), CsvRecords.ANY_DELIMITER, text).cutAt(LONGEST_LINE_BYTES)) {
            long bytes = 0;
            while (lines.size() < count && bytes < LONGEST_LINE_BYTES && records.next()) {
                bytes += text.size();
                String line = text.toString(StandardCharsets.UTF_8);
                if (!line.isBlank()) {
                    lines.add(new Line(records.line(), line));
                }
                text.reset();
            }
        } catch (IOException e) {
            throw InputFiles.broken(file, e);
        }
        return lines;
    }
}
