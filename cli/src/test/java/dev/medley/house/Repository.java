package dev.medley.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The files of this repository that people write. */
final class Repository {
    static final Path ROOT = Path.of(System.getProperty("medley.root")).toAbsolutePath();

    private static final Set<String> NOT_OURS =
            Set.of("target", ".git", ".medley", "runs", ".idea", ".vscode", ".settings");

    /** What commands and examples leave behind, by the folder whose .gitignore names it. */
    private static final Map<Path, List<PathMatcher>> IGNORED = new ConcurrentHashMap<>();

    private Repository() {}

    /** All files whose names end in one of these. */
    static List<Path> files(String... endings) {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(
                    ROOT,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes attributes) {
                            return NOT_OURS.contains(folder.getFileName().toString())
                                            || isIgnored(folder)
                                    ? FileVisitResult.SKIP_SUBTREE
                                    : FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            for (String ending : endings) {
                                if (file.getFileName().toString().endsWith(ending)
                                        && !isIgnored(file)) {
                                    found.add(file);
                                    break;
                                }
                            }
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        found.sort(null);
        return found;
    }

    /** Whether a .gitignore between it and the root names it: by its name, perhaps with stars. */
    private static boolean isIgnored(Path path) {
        Path name = path.getFileName();
        for (Path above = path.getParent();
                above != null && above.startsWith(ROOT);
                above = above.getParent()) {
            if (IGNORED.computeIfAbsent(above, Repository::ignoredIn).stream()
                    .anyMatch(pattern -> pattern.matches(name))) {
                return true;
            }
        }
        return false;
    }

    private static List<PathMatcher> ignoredIn(Path folder) {
        Path file = folder.resolve(".gitignore");
        List<PathMatcher> patterns = new ArrayList<>();
        if (Files.isRegularFile(file)) {
            for (String line : lines(file)) {
                String pattern = line.strip();
                if (!pattern.isEmpty() && !pattern.startsWith("#")) {
                    patterns.add(
                            folder.getFileSystem()
                                    .getPathMatcher("glob:" + pattern.replaceFirst("/$", "")));
                }
            }
        }
        return patterns;
    }

    /** Lines of a file. */
    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toString(), e);
        }
    }

    /** A file as messages name it: from the root, with a line that editors can jump to. */
    static String at(Path file, long line) {
        return ROOT.relativize(file) + ":" + line;
    }
}
