package dev.medley.data.shard;

import dev.medley.base.ConfigException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Recognises by its first bytes a file that is not what its name says. Gzip is none of these, since
 * it is read under every name.
 *
 * @param bytes that such a file begins with
 * @param what it is, with an article
 * @param remedy what to do about it
 */
record FileSignature(byte[] bytes, String what, String remedy) {
    /** Bytes that have to be known. */
    static final int LOOK_BYTES = WideCharset.LOOK_BYTES;

    private static final String UNPACK = "unpack it, or pack it with gzip, which is read";
    private static final String EXPORT = "save it as CSV in UTF-8, or as Parquet";
    private static final int ZIP_NAME_AT = 30;
    private static final FileSignature OFFICE =
            text("PK", "an Excel or another office file", EXPORT);
    private static final FileSignature PAGE =
            text(
                    "<",
                    "a page of HTML or XML, as servers send them instead of a file",
                    "fetch the file itself");

    /** Packed files, which no format of ours is. */
    private static final List<FileSignature> PACKED =
            List.of(
                    hex("504b0304", "a zip archive", UNPACK),
                    hex("28b52ffd", "packed with zstd", UNPACK),
                    hex("fd377a585a00", "packed with xz", UNPACK),
                    hex("04224d18", "packed with lz4", UNPACK),
                    hex("377abcaf271c", "a 7z archive", UNPACK),
                    text("BZh", "packed with bzip2", UNPACK),
                    text("Rar!", "a rar archive", UNPACK));

    /** Files that are not text. */
    private static final List<FileSignature> BINARY =
            List.of(
                    text("PAR1", "a Parquet file", "set data.format: parquet"),
                    hex("d0cf11e0a1b11ae1", "an old Excel or another office file", EXPORT),
                    text("ARROW1", "an Arrow or Feather file", EXPORT),
                    text("ORC", "an ORC file", EXPORT),
                    hex("4f626a01", "an Avro file", EXPORT),
                    text("SQLite format 3", "an SQLite database", EXPORT),
                    hex("894844460d0a1a0a", "an HDF5 file", EXPORT),
                    hex("934e554d5059", "an array of NumPy", EXPORT),
                    hex("8004", "a pickle of Python", EXPORT),
                    hex("8005", "a pickle of Python", EXPORT),
                    text("%PDF", "a PDF document", EXPORT),
                    hex("89504e470d0a1a0a", "a PNG image", "set data.format: images"),
                    hex("ffd8ff", "a JPEG image", "set data.format: images"));

    private static FileSignature hex(String bytes, String what, String remedy) {
        return new FileSignature(HexFormat.of().parseHex(bytes), what, remedy);
    }

    private static FileSignature text(String bytes, String what, String remedy) {
        return new FileSignature(bytes.getBytes(StandardCharsets.US_ASCII), what, remedy);
    }

    /** Refuses a file that begins as packed ones do. */
    static void refusePacked(Path file, byte[] head) {
        for (FileSignature signature : PACKED) {
            if (signature.isOf(head)) {
                throw (isOffice(head) ? OFFICE : signature).refusal(file);
            }
        }
    }

    /** Refuses a file that begins as no text does. */
    static void refuseBinary(Path file, byte[] head) {
        for (FileSignature signature : BINARY) {
            if (signature.isOf(head)) {
                throw signature.refusal(file);
            }
        }
        String text = new String(head, StandardCharsets.UTF_8).strip().toLowerCase(Locale.ROOT);
        if (text.startsWith("<!doctype") || text.startsWith("<html") || text.startsWith("<?xml")) {
            throw PAGE.refusal(file);
        }
    }

    /** Whether a file that begins so is one of those, or holds bytes that no text has. */
    static boolean isBinary(byte[] head) {
        boolean hasZeros = false;
        boolean isAscii = true;
        for (byte value : head) {
            hasZeros |= value == 0;
            isAscii &= value >= '\t' && value <= '~';
        }
        boolean isKnown = BINARY.stream().anyMatch(signature -> signature.isOf(head));
        return (isKnown && !isAscii) || (hasZeros && WideCharset.of(head) == null);
    }

    private boolean isOf(byte[] head) {
        return head.length >= bytes.length
                && Arrays.equals(head, 0, bytes.length, bytes, 0, bytes.length);
    }

    private static boolean isOffice(byte[] head) {
        if (head.length <= ZIP_NAME_AT || head[0] != 'P') {
            return false;
        }
        String first =
                new String(
                        head, ZIP_NAME_AT, head.length - ZIP_NAME_AT, StandardCharsets.ISO_8859_1);
        return first.startsWith("[Content_Types].xml")
                || first.startsWith("_rels/")
                || first.startsWith("docProps/")
                || first.startsWith("xl/")
                || first.startsWith("mimetypeapplication/vnd.oasis.opendocument");
    }

    private ConfigException refusal(Path file) {
        return new ConfigException(
                "%s: is %s, whatever its name says: %s".formatted(file, what, remedy));
    }
}
