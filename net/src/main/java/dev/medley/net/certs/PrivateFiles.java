package dev.medley.net.certs;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Publishes files that only their owner may read, each whole or not at all. Where the file system
 * knows no such permissions, the user's folder has to protect them.
 */
final class PrivateFiles {
    private static final boolean HAS_PERMISSIONS =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private PrivateFiles() {}

    /** Makes a folder and those above it; one that is there stays as it is. */
    static void makeFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        Path above = folder.toAbsolutePath().getParent();
        if (above != null) {
            Files.createDirectories(above);
        }
        Files.createDirectory(folder);
        restrict(folder, "rwx------");
    }

    /** A new folder beside what will be made in it: a rename moves it to its place. */
    static Path draftFolder(Path beside) throws IOException {
        return Files.createTempDirectory(beside, ".draft-"); // The JDK restricts it to the owner.
    }

    /** Moves a file, or a folder of files, to its place at once. */
    static void publish(Path draft, Path place) throws IOException {
        boolean isFolder = Files.isDirectory(draft);
        if (isFolder) {
            try (Stream<Path> files = Files.list(draft)) {
                for (Path file : files.toList()) {
                    restrict(file, "rw-------");
                }
            }
        }
        restrict(draft, isFolder ? "rwx------" : "rw-------");
        Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes a folder and all in it, as far as that can be done. */
    static void discard(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            // Its name says that it is a draft, and nobody else can read it.
        }
    }

    private static void restrict(Path path, String permissions) throws IOException {
        if (HAS_PERMISSIONS) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
        }
    }
}
