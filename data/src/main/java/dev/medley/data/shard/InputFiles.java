package dev.medley.data.shard;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.ConfigException;
import dev.medley.base.NamedFile;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/** Finds the user's files by name, folder or pattern, and opens them whether gzipped or not. */
public final class InputFiles {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final Comparator<Path> BY_NAME =
            Comparator.comparing(path -> path.toString().replace('\\', '/'));

    private InputFiles() {}

    /**
     * The files that {@code entries} name: files as they are, the files below folders whose name
     * matches one of {@code include}, and those that a glob finds. In the order of the entries, and
     * by path within a folder or glob. Links are followed. Hidden folders and files are passed
     * over.
     *
     * @throws ConfigException if an entry names nothing
     */
    public static List<Path> find(List<String> entries, List<String> include) {
        List<Path> files = new ArrayList<>();
        for (String entry : entries) {
            Path path = Path.of(entry);
            List<Path> found;
            if (Files.isDirectory(path)) {
                found = below(path, include);
                Map<String, Integer> others =
                        found.isEmpty() ? passedOver(List.of(entry), include) : Map.of();
                check(
                        !found.isEmpty() || !others.isEmpty(),
                        "%s: there is no file in this folder (hidden ones do not count)",
                        entry);
                check(
                        !found.isEmpty(),
                        "%s: no file in this folder matches %s; by ending there are %s",
                        entry,
                        include,
                        others);
            } else if (Files.exists(path)) {
                NamedFile.require(path);
                found = List.of(path);
            } else {
                found = glob(entry);
            }
            files.addAll(found);
        }
        return files;
    }

    /**
     * How many files below the folders among {@code entries} match none of {@code include}, by
     * their ending, the most first.
     */
    public static Map<String, Integer> passedOver(List<String> entries, List<String> include) {
        Map<String, Integer> counts = new TreeMap<>();
        for (String entry : entries) {
            Path folder = Path.of(entry);
            if (Files.isDirectory(folder)) {
                Predicate<Path> wanted = wanted(folder, include);
                walk(folder, wanted.negate())
                        .forEach(file -> counts.merge(ending(file), 1, Integer::sum));
            }
        }
        Map<String, Integer> sorted = new LinkedHashMap<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed())
                .forEach(kind -> sorted.put(kind.getKey(), kind.getValue()));
        return sorted;
    }

    private static String ending(Path file) {
        String name = file.getFileName().toString();
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "without an ending" : name.substring(dot).toLowerCase(Locale.ROOT);
    }

    /**
     * The file's bytes, gunzipped if they begin as gzip does.
     *
     * @throws ConfigException if they are packed in another way
     */
    public static InputStream open(Path file) throws IOException {
        NamedFile.require(file);
        check(Files.isReadable(file), "%s: cannot be read; check its permissions", file);
        BufferedInputStream raw = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
        try {
            byte[] head = head(raw);
            boolean isGzip =
                    head.length > 1
                            && (head[0] & 0xFF | (head[1] & 0xFF) << 8)
                                    == GZIPInputStream.GZIP_MAGIC;
            BufferedInputStream plain =
                    isGzip
                            ? new BufferedInputStream(
                                    new GZIPInputStream(raw, BUFFER_BYTES), BUFFER_BYTES)
                            : raw;
            FileSignature.refusePacked(file, isGzip ? head(plain) : head);
            return plain;
        } catch (IOException | ConfigException e) {
            raw.close();
            throw e;
        }
    }

    /** The same of a file that is to be text; a ConfigException names what else it is. */
    public static InputStream openText(Path file) throws IOException {
        BufferedInputStream in = (BufferedInputStream) open(file);
        try {
            FileSignature.refuseBinary(file, head(in));
            return in;
        } catch (IOException | ConfigException e) {
            in.close();
            throw e;
        }
    }

    /** Whether a file begins as a text may, unpacked if it is gzipped. */
    public static boolean isText(Path file) {
        try (BufferedInputStream in = (BufferedInputStream) open(file)) {
            return !FileSignature.isBinary(head(in));
        } catch (IOException e) {
            throw broken(file, e);
        }
    }

    /**
     * Reads a packed text to its end, for an engine that does not check what it unpacks.
     *
     * @throws IOException as {@link #broken} tells it
     */
    public static void requireWholeText(Path file) throws IOException {
        try (InputStream in = openText(file)) {
            if (isGzip(file)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
        }
    }

    private static byte[] head(BufferedInputStream in) throws IOException {
        in.mark(FileSignature.LOOK_BYTES);
        byte[] head = in.readNBytes(FileSignature.LOOK_BYTES);
        in.reset();
        return head;
    }

    /** Whether a file begins as gzip does, whatever its name. */
    public static boolean isGzip(Path file) throws IOException {
        NamedFile.require(file);
        try (InputStream in = Files.newInputStream(file)) {
            return (in.read() | in.read() << 8) == GZIPInputStream.GZIP_MAGIC;
        }
    }

    /** What went wrong with a file, for the user. */
    public static ConfigException broken(Path file, IOException e) {
        String why =
                e instanceof EOFException
                        ? "ends too early: it was cut off; fetch it again"
                        : e instanceof ZipException
                                ? "is broken gzip: fetch it again (" + e.getMessage() + ")"
                                : "cannot be read: " + e;
        return new ConfigException(file + ": " + why, e);
    }

    private static List<Path> below(Path folder, List<String> include) {
        return walk(folder, wanted(folder, include));
    }

    /** Files whose name, also in lower case, or whose path below a folder is included. */
    private static Predicate<Path> wanted(Path folder, List<String> include) {
        List<PathMatcher> matchers = include.stream().map(p -> matcher(p, p)).toList();
        return file -> {
            Path name = file.getFileName();
            Path lower = Path.of(name.toString().toLowerCase(Locale.ROOT));
            Path below = folder.relativize(file);
            return matchers.stream()
                    .anyMatch(m -> m.matches(name) || m.matches(lower) || m.matches(below));
        };
    }

    private static List<Path> glob(String pattern) {
        int star = indexOfWildcard(pattern);
        check(star >= 0, "%s: no such file or folder", pattern);
        int slash = pattern.lastIndexOf('/', star);
        Path root = Path.of(slash < 0 ? "." : slash == 0 ? "/" : pattern.substring(0, slash));
        check(Files.isDirectory(root), "%s: there is no folder %s", pattern, root);
        PathMatcher matcher = matcher(pattern.substring(slash + 1), pattern);
        List<Path> found = walk(root, file -> matcher.matches(root.relativize(file)));
        check(!found.isEmpty(), "%s: no file matches this pattern", pattern);
        return found;
    }

    private static PathMatcher matcher(String glob, String given) {
        try {
            return FileSystems.getDefault().getPathMatcher("glob:" + glob);
        } catch (PatternSyntaxException e) {
            throw new ConfigException(
                    "%s: there is no such file or folder, and it is no pattern of names: %s"
                            .formatted(given, e.getDescription()),
                    e);
        }
    }

    private static int indexOfWildcard(String pattern) {
        for (int i = 0; i < pattern.length(); i++) {
            if ("*?[{".indexOf(pattern.charAt(i)) >= 0) {
                return i;
            }
        }
        return -1;
    }

    private static List<Path> walk(Path root, Predicate<Path> wanted) {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(
                    root,
                    Set.of(FileVisitOption.FOLLOW_LINKS),
                    Integer.MAX_VALUE,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes attributes) {
                            return isHidden(root, folder)
                                    ? FileVisitResult.SKIP_SUBTREE
                                    : FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            if (attributes.isRegularFile()
                                    && !isHidden(root, file)
                                    && wanted.test(file)) {
                                found.add(file);
                            }
                            return FileVisitResult.CONTINUE;
                        }

                        /** A link to a folder that it lies in leads to what is found anyway. */
                        @Override
                        public FileVisitResult visitFileFailed(Path file, IOException e)
                                throws IOException {
                            if (e instanceof FileSystemLoopException) {
                                return FileVisitResult.CONTINUE;
                            }
                            throw e;
                        }
                    });
        } catch (IOException e) {
            throw new ConfigException(root + ": cannot be read: " + e, e);
        }
        found.sort(BY_NAME);
        return found;
    }

    private static boolean isHidden(Path root, Path path) {
        return !path.equals(root) && path.getFileName().toString().startsWith(".");
    }
}
