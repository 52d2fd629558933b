package dev.medley.store.file;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks before the start that a folder exists or can be made, can be written, and has room. */
public final class WritableFolder {
    private WritableFolder() {}

    /**
     * Makes the folder if it is not there, and tries a write in it. A {@link ConfigException} says
     * that it is read-only, that it is a file, or that fewer than {@code bytesNeeded} bytes are
     * free; nothing is left behind then.
     */
    public static void require(Path folder, long bytesNeeded) {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new ConfigException(
                    folder + ": is a file, but a folder is needed: choose another name");
        }
        long free = freeBytes(folder);
        if (free < bytesNeeded) {
            throw WriteFailure.noSpace(folder, bytesNeeded, free, null).asConfigException();
        }
        try {
            make(folder);
            Path probe = Leftovers.reserve(folder.resolve("probe"));
            try {
                Files.createFile(probe);
                Files.delete(probe);
            } finally {
                Leftovers.release(probe);
            }
        } catch (IOException e) {
            throw WriteFailure.of(folder, bytesNeeded, e).asConfigException();
        }
    }

    /** Bytes that this user may still write where {@code path} is or will be. */
    public static long freeBytes(Path path) {
        try {
            return Files.getFileStore(nearestExisting(path)).getUsableSpace();
        } catch (IOException e) {
            return Long.MAX_VALUE; // unknown: the write itself will tell
        }
    }

    /** Makes a folder and its parents; a link to a folder is one. */
    static void make(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) { // JDK 17 takes a link for a file that is in the way
            Files.createDirectories(folder);
        }
    }

    /** The path itself, or the nearest of its parents that exists. */
    static Path nearestExisting(Path path) {
        Path at = path.toAbsolutePath();
        for (Path up = at.getParent(); !Files.exists(at) && up != null; up = at.getParent()) {
            at = up;
        }
        return at;
    }
}
