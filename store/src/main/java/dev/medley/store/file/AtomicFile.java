package dev.medley.store.file;

import dev.medley.base.OwnFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.EnumSet;

/**
 * Writes a file so that a process killed, or a machine switched off, at any moment leaves the old
 * file or the new one. It makes a temporary file beside it, then fsync, rename, fsync of the
 * folder. Cost: the file once, and two waits for the disk.
 */
public final class AtomicFile {
    private AtomicFile() {}

    /** Produces the bytes of a file. */
    @FunctionalInterface
    public interface Content {
        /** Writes all of them to {@code channel}. */
        void writeTo(WritableByteChannel channel) throws IOException;
    }

    /** Puts {@code content} in place of {@code file}, making its folder if it is not there. */
    public static void write(Path file, byte[] content) throws WriteFailure {
        write(file, content.length, channel -> writeFully(channel, ByteBuffer.wrap(content)));
    }

    /**
     * Puts {@code content} in place of {@code file}, making its folder if it is not there. On a
     * failure the old file stays as it is.
     *
     * @param bytesNeeded length of the content, for the message when there is no room
     */
    public static void write(Path file, long bytesNeeded, Content content) throws WriteFailure {
        write(file, bytesNeeded, content, new FileAttribute<?>[0]);
    }

    /** The same; the file is this user's alone. */
    public static void writeOwn(Path file, long bytesNeeded, Content content) throws WriteFailure {
        write(file, bytesNeeded, content, OwnFolder.only("rw-------"));
    }

    private static void write(
            Path file, long bytesNeeded, Content content, FileAttribute<?>... attributes)
            throws WriteFailure {
        Path temporary = Leftovers.reserve(file);
        try {
            Path folder = folderOf(file);
            WritableFolder.make(folder);
            writeDurably(temporary, content, attributes);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
            syncFolder(folder);
        } catch (IOException e) {
            throw failed(temporary, file, bytesNeeded, e);
        } finally {
            Leftovers.release(temporary);
        }
    }

    /**
     * Gives a finished file its name: brings it to the disk, renames it to {@code target}, which it
     * replaces, and makes the rename durable. Both lie in one folder.
     */
    public static void publish(Path finished, Path target) throws WriteFailure {
        try {
            try (FileChannel channel = FileChannel.open(finished, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(finished, target, StandardCopyOption.ATOMIC_MOVE);
            syncFolder(folderOf(target));
        } catch (IOException e) {
            throw WriteFailure.of(target, 0, e);
        }
    }

    /** Removes what killed processes left in {@code folder}; a missing folder holds nothing. */
    public static void sweep(Path folder) throws WriteFailure {
        try {
            Leftovers.sweep(folder);
        } catch (IOException e) {
            throw WriteFailure.of(folder, 0, e);
        }
    }

    /** Writes a file that nobody looks at yet; it is on the disk when this returns. */
    static void writeDurably(Path file, Content content, FileAttribute<?>... attributes)
            throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                        attributes)) {
            channel.truncate(0);
            content.writeTo(channel);
            channel.force(true);
        }
    }

    /** All of {@code bytes}: a channel may take fewer at a time. */
    public static void writeFully(WritableByteChannel channel, ByteBuffer bytes)
            throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Makes renames in a folder durable; a system that cannot sync folders syncs them itself. */
    public static void syncFolder(Path folder) throws IOException {
        if (folder.getFileSystem().getSeparator().equals("\\")) {
            return;
        }
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static Path folderOf(Path path) {
        Path parent = path.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IllegalArgumentException(path + " has no folder");
        }
        return parent;
    }

    /** Removes what was being built, then says why it failed. */
    static WriteFailure failed(Path temporary, Path target, long bytesNeeded, IOException cause) {
        try {
            Leftovers.delete(temporary);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        return WriteFailure.of(target, bytesNeeded, cause);
    }
}
