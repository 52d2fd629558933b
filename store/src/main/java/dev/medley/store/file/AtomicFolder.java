package dev.medley.store.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes a whole folder so that a process killed at any moment leaves the old folder or the new
 * one. It is built beside its place, every file of it is brought to the disk, and it is renamed.
 *
 * <p>No rename replaces a folder that is not empty. To replace one, the old folder is first renamed
 * aside; a process killed between the two renames leaves it there, and {@link #settle} (which every
 * reader calls) puts it back. A reader at work while its folder is replaced keeps the files that it
 * has opened, and may find others gone.
 */
public final class AtomicFolder {
    private AtomicFolder() {}

    /** Fills a fresh folder. */
    @FunctionalInterface
    public interface Content {
        /** Writes everything into {@code folder}, which exists and is empty. */
        void writeInto(Path folder) throws IOException;
    }

    /**
     * Puts a new folder in place of {@code target}, making its parents if they are not there. On a
     * failure the old folder stays as it is.
     *
     * @param bytesNeeded length of all files, for the message when there is no room
     */
    public static void write(Path target, long bytesNeeded, Content content) throws WriteFailure {
        Path building = Leftovers.reserve(target);
        try {
            long free = WritableFolder.freeBytes(target);
            if (free < bytesNeeded) { // better than to fill the disk for everybody first
                throw WriteFailure.noSpace(target, bytesNeeded, free, null);
            }
            WritableFolder.make(AtomicFile.folderOf(target));
            Files.createDirectory(building);
            content.writeInto(building);
            syncTree(building);
            settle(target);
            Leftovers.discardReplaced(target); // so that the one we set aside is the only one
            publish(building, target);
        } catch (IOException e) {
            throw AtomicFile.failed(building, target, bytesNeeded, e);
        } finally {
            Leftovers.release(building);
        }
    }

    /** Whether another process that lives is building something in {@code parent}. */
    public static boolean isBuiltBeside(Path parent) {
        return Leftovers.isUnderWayElsewhere(parent);
    }

    /** Copies the tree {@code source} to {@code target}, which is replaced whole or not at all. */
    public static void copy(Path source, Path target) throws WriteFailure {
        List<Path> tree;
        long bytes = 0;
        try (Stream<Path> walk = Files.walk(source)) {
            tree = walk.toList();
            for (Path path : tree) {
                bytes += Files.isRegularFile(path) ? Files.size(path) : 0;
            }
        } catch (IOException e) {
            throw WriteFailure.of(target, 0, e);
        }
        write(
                target,
                bytes,
                folder -> {
                    for (Path path : tree.subList(1, tree.size())) {
                        Files.copy(path, folder.resolve(source.relativize(path).toString()));
                    }
                });
    }

    /** Puts back a folder whose replacement was cut short by a kill; otherwise does nothing. */
    public static void settle(Path target) throws WriteFailure {
        try {
            if (!Files.exists(target)) {
                for (Path old : Leftovers.replaced(target).stream().limit(1).toList()) {
                    Leftovers.putBack(old, target);
                }
            }
        } catch (IOException e) {
            throw WriteFailure.of(target, 0, e);
        }
    }

    /**
     * Removes a folder so that a kill leaves it whole or invisible. One that is not there is fine.
     */
    public static void delete(Path target) throws WriteFailure {
        try {
            Leftovers.discardReplaced(target);
            if (Files.exists(target)) {
                Leftovers.discard(target, target);
            }
        } catch (IOException e) {
            throw WriteFailure.of(target, 0, e);
        }
    }

    private static void publish(Path building, Path target) throws IOException {
        Path parent = AtomicFile.folderOf(target);
        if (!Files.exists(target)) {
            Files.move(building, target, StandardCopyOption.ATOMIC_MOVE);
            AtomicFile.syncFolder(parent);
            return;
        }
        Path old = Leftovers.reserve(target, Leftovers.REPLACED);
        try {
            Files.move(target, old, StandardCopyOption.ATOMIC_MOVE);
            moveInOrBack(building, target, old);
            AtomicFile.syncFolder(parent);
            Leftovers.discard(old, target);
        } finally {
            Leftovers.release(old);
        }
    }

    private static void moveInOrBack(Path building, Path target, Path old) throws IOException {
        try {
            Files.move(building, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            Files.move(old, target, StandardCopyOption.ATOMIC_MOVE);
            throw e;
        }
    }

    private static void syncTree(Path folder) throws IOException {
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path path : (Iterable<Path>) walk::iterator) {
                if (Files.isDirectory(path)) {
                    AtomicFile.syncFolder(path);
                } else {
                    syncFile(path);
                }
            }
        }
    }

    private static void syncFile(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }
}
