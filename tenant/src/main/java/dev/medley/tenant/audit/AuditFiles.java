package dev.medley.tenant.audit;

import dev.medley.store.file.AtomicFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the files of a log: full ones, {@code NAME.000001} and so on from the oldest, and the one
 * that is written, {@code NAME}. That one may be missing: a process died between two of them.
 */
final class AuditFiles {
    private static final Pattern NUMBER = Pattern.compile("\\.(\\d{6,9})");

    private static final int MOST_ATTEMPTS = 100;

    private AuditFiles() {}

    /** Full files by their numbers, the oldest first. */
    static SortedMap<Integer, Path> full(Path log) throws IOException {
        String name = log.getFileName().toString();
        Path folder = log.toAbsolutePath().getParent();
        SortedMap<Integer, Path> full = new TreeMap<>();
        if (folder == null || !Files.isDirectory(folder)) {
            return full;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : (Iterable<Path>) files::iterator) {
                String other = each.getFileName().toString();
                if (other.startsWith(name)) {
                    Matcher number = NUMBER.matcher(other.substring(name.length()));
                    if (number.matches()) {
                        full.put(Integer.parseInt(number.group(1)), each);
                    }
                }
            }
        }
        return full;
    }

    /**
     * Full files to be read, opened before any is: what is removed then is read nevertheless.
     *
     * @param files the oldest first
     * @param last the number of the last one
     */
    record Full(Map<Path, InputStream> files, int last) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            for (InputStream each : files.values()) {
                each.close();
            }
        }
    }

    /** Opens full files whose numbers are above {@code number}. */
    static Full openBehind(Path log, int number) throws IOException {
        for (int attempt = 1; ; attempt++) {
            SortedMap<Integer, Path> paths = full(log).tailMap(number + 1);
            Map<Path, InputStream> files = new LinkedHashMap<>();
            Full full = new Full(files, paths.isEmpty() ? number : paths.lastKey());
            try {
                for (Path each : paths.values()) {
                    files.put(each, Files.newInputStream(each));
                }
                return full;
            } catch (IOException e) {
                full.close();
                if (!(e instanceof NoSuchFileException) || attempt == MOST_ATTEMPTS) {
                    throw e;
                } // It was removed since its name was found: so it is with a note of that.
            }
        }
    }

    /** The file that is written, to be read; empty while there is none. */
    static InputStream read(Path log) throws IOException {
        try {
            return Files.newInputStream(log);
        } catch (NoSuchFileException e) {
            return InputStream.nullInputStream();
        }
    }

    /** Where a log is, whatever links lead to it. */
    static Path real(Path log) throws IOException {
        if (Files.exists(log)) {
            return log.toRealPath();
        }
        return Files.isSymbolicLink(log) ? log.resolveSibling(Files.readSymbolicLink(log)) : log;
    }

    /** Gives the file that is written the name of a full one, which it returns. */
    static Path retire(Path log) throws IOException {
        SortedMap<Integer, Path> full = full(log);
        int number = full.isEmpty() ? 1 : full.lastKey() + 1;
        Path name =
                log.resolveSibling(
                        String.format(Locale.ROOT, "%s.%06d", log.getFileName(), number));
        Files.move(log, name, StandardCopyOption.ATOMIC_MOVE);
        return name;
    }

    /** Brings names that were given or taken to the disk. */
    static void sync(Path log) throws IOException {
        Path folder = log.toAbsolutePath().getParent();
        if (folder != null) {
            AtomicFile.syncFolder(folder);
        }
    }

    /** The last entry of a full file; null if its last line is none. */
    static AuditLine.@Nullable Read last(Path full) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(full.toFile(), "r")) {
            long from = Math.max(0, file.length() - AuditLine.MOST_BYTES - 1);
            byte[] end = new byte[(int) (file.length() - from)];
            file.seek(from);
            file.readFully(end);
            int last = end.length - 1;
            if (last < 0 || end[last] != '\n') {
                return null;
            }
            int before = last - 1;
            while (before >= 0 && end[before] != '\n') {
                before--;
            }
            return AuditLine.read(Arrays.copyOfRange(end, before + 1, last));
        }
    }

    /** Whether the log, or the part of it that is full, is there. */
    static boolean isThere(Path log) throws IOException {
        return Files.isRegularFile(log) || !full(log).isEmpty();
    }
}
