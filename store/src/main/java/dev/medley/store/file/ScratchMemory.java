package dev.medley.store.file;

import dev.medley.base.memory.Span;
import dev.medley.base.memory.SpanSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Gives memory that lies in files, so that arrays may be longer than the memory of the process: the
 * system keeps in memory what it has room for. A file has no name any more when this returns (on
 * Windows it has one until the process ends), and its room goes when no span of it is held. The
 * room is taken at once, since a disk that is full later would end the process.
 */
public final class ScratchMemory implements SpanSource {
    private static final int ZEROS_BYTES = 1 << 20;

    private final Path folder;

    /** In files of this folder, which is made where it is not there. */
    public ScratchMemory(Path folder) {
        this.folder = folder;
    }

    /**
     * Fresh zeroed memory.
     *
     * @throws dev.medley.base.ConfigException if the disk has no room for it
     */
    @Override
    public Span allocate(long bytes) {
        if (bytes == 0) {
            return Span.allocate(0);
        }
        try {
            Files.createDirectories(folder);
            Path file = Files.createTempFile(folder, "scratch-", ".bin");
            Set<StandardOpenOption> options =
                    Set.of(
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.DELETE_ON_CLOSE);
            try (FileChannel channel = FileChannel.open(file, options)) {
                fill(channel, bytes);
                return map(channel, bytes);
            }
        } catch (IOException e) {
            throw WriteFailure.of(folder, bytes, e).asConfigException();
        }
    }

    private static void fill(FileChannel channel, long bytes) throws IOException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
        for (long left = bytes; left > 0; left -= zeros.limit()) {
            zeros.clear().limit((int) Math.min(left, ZEROS_BYTES));
            AtomicFile.writeFully(channel, zeros);
        }
    }

    private static Span map(FileChannel channel, long bytes) throws IOException {
        List<ByteBuffer> chunks = new ArrayList<>();
        for (long at = 0; at < bytes; at += Span.CHUNK_BYTES) {
            long length = Math.min(Span.CHUNK_BYTES, bytes - at);
            chunks.add(channel.map(MapMode.READ_WRITE, at, length));
        }
        return Span.ofChunks(chunks);
    }
}
