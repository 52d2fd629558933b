package dev.medley.serving.log;

import static dev.medley.base.ConfigException.check;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Says what of the requests is written, and where.
 *
 * @param to a file, or a folder for many
 * @param format of the files
 * @param share of the requests, above 0 and at most 1
 * @param fileBytes after which a new file begins
 * @param fileNs after which a new file begins
 * @param queue values that may wait to be written; what would be more is dropped
 */
public record LogOptions(
        Path to, Format format, double share, long fileBytes, long fileNs, long queue) {
    private static final long FILE_BYTES = 64L << 20;
    private static final long FILE_NS = 3_600_000_000_000L;
    private static final long QUEUE = 2_000_000;

    /** Formats of the files. */
    public enum Format {
        JSONL,
        PARQUET;

        String ending() {
            return "." + name().toLowerCase(Locale.ROOT);
        }
    }

    public LogOptions {
        check(
                share > 0 && share <= 1,
                "--log-sample %s: give a share of the requests, above 0 and up to 1, or 100%%",
                share);
        check(fileBytes >= 1, "a file of the log of %d bytes: give 1 or more", fileBytes);
        check(fileNs >= 1, "a file of the log of %d ns: give 1 or more", fileNs);
        check(queue >= 1, "%d values may wait for the log: give 1 or more", queue);
    }

    /**
     * Into a file by its ending, or into JSON lines in a folder.
     *
     * @throws dev.medley.base.ConfigException if the ending is another
     */
    public static LogOptions to(Path to, double share) {
        String name = String.valueOf(to.getFileName()).toLowerCase(Locale.ROOT);
        boolean isFolder = Files.isDirectory(to) || !name.contains(".");
        Format format = name.endsWith(".parquet") && !isFolder ? Format.PARQUET : Format.JSONL;
        check(
                isFolder
                        || format == Format.PARQUET
                        || name.endsWith(".jsonl")
                        || name.endsWith(".ndjson"),
                "--log %s: the ending says what is written: use .jsonl or .parquet, or a folder",
                to);
        return new LogOptions(to, format, share, FILE_BYTES, FILE_NS, QUEUE);
    }

    /** The same in another format. */
    public LogOptions in(Format other) {
        check(
                isFolder() || other == format,
                "--log-format %s: %s says another by its ending; give a folder, or no format",
                other.name().toLowerCase(Locale.ROOT),
                to);
        return new LogOptions(to, other, share, fileBytes, fileNs, queue);
    }

    /** The same with a new file after so many bytes, or so long. */
    public LogOptions rotated(long bytes, long ns) {
        return new LogOptions(to, format, share, bytes, ns, queue);
    }

    /** The same where so many values may wait. */
    public LogOptions waiting(long most) {
        return new LogOptions(to, format, share, fileBytes, fileNs, most);
    }

    boolean isFolder() {
        return Files.isDirectory(to) || !String.valueOf(to.getFileName()).contains(".");
    }
}
