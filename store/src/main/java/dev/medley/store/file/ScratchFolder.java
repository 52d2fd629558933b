package dev.medley.store.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Holds a temporary folder beside a file, so that what is made in it can be renamed into place.
 * Each use has one of its own, also where two processes write the same file; what killed processes
 * left is removed when the next one begins.
 */
public final class ScratchFolder implements AutoCloseable {
    private final Path path;

    private ScratchFolder(Path path) {
        this.path = path;
    }

    /** A new one beside {@code target}, whose folder is made where it is not there. */
    public static ScratchFolder beside(Path target) throws IOException {
        Leftovers.sweep(AtomicFile.folderOf(target));
        Path path = Leftovers.reserve(target);
        try {
            return new ScratchFolder(Files.createDirectories(path));
        } catch (IOException e) {
            Leftovers.release(path);
            throw e;
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** Removes it with all that is in it. */
    @Override
    public void close() throws IOException {
        try {
            Leftovers.delete(path);
        } finally {
            Leftovers.release(path);
        }
    }
}
