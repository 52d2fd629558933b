package dev.medley.house;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The files of this repository that people write. */
final class Repository {
    static final Path ROOT = Path.of(System.getProperty("medley.root")).toAbsolutePath();

    private static final Set<String> NOT_OURS =
            Set.of("target", ".git", ".medley", "runs", ".idea", ".vscode", ".settings");

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
                                    ? FileVisitResult.SKIP_SUBTREE
                                    : FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            for (String ending : endings) {
                                if (file.getFileName().toString().endsWith(ending)) {
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
