package dev.medley.record.folder;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Replaces a whole file: readers see the old one or the new one, never a part. */
final class AtomicWrite {
    private AtomicWrite() {}

    /** Fills the new file. */
    interface Content {
        void writeTo(FileChannel channel) throws IOException;
    }

    static void bytes(Path file, byte[] content) throws IOException {
        content(file, channel -> all(channel, ByteBuffer.wrap(content)));
    }

    /** Like {@link #bytes}, but a machine that loses power may lose both: for what comes again. */
    static void passing(Path file, byte[] content) throws IOException {
        Path temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
        try {
            Files.write(temporary, content);
            replace(temporary, file);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    static void content(Path file, Content content) throws IOException {
        Path temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
        try {
            try (FileChannel channel =
                    FileChannel.open(
                            temporary,
                            StandardOpenOption.CREATE,
                            StandardOpenOption.TRUNCATE_EXISTING,
                            StandardOpenOption.WRITE)) {
                content.writeTo(channel);
                channel.force(false);
            }
            replace(temporary, file);
        } catch (IOException e) {
            Files.deleteIfExists(temporary);
            throw e;
        }
    }

    static void all(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static void replace(Path temporary, Path file) throws IOException {
        Files.move(
                temporary,
                file,
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }
}
