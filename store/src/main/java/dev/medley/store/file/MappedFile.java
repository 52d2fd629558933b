package dev.medley.store.file;

import dev.medley.base.NamedFile;
import dev.medley.base.memory.Span;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Maps a file into memory as a span. Nothing is read until it is touched. The mapping lives as long
 * as any span of it, also when the file is replaced or deleted; a file that another program cuts
 * short meanwhile ends the reader with an {@link InternalError}.
 */
public final class MappedFile {
    private MappedFile() {}

    /** All bytes of {@code file}, a regular one, read-only. */
    public static Span map(Path file) throws IOException {
        NamedFile.require(file);
        try (FileChannel channel = FileChannel.open(file)) {
            long bytes = channel.size();
            if (bytes == 0) {
                return Span.allocate(0);
            }
            List<ByteBuffer> chunks = new ArrayList<>();
            for (long at = 0; at < bytes; at += Span.CHUNK_BYTES) {
                long length = Math.min(Span.CHUNK_BYTES, bytes - at);
                chunks.add(channel.map(FileChannel.MapMode.READ_ONLY, at, length));
            }
            return Span.ofChunks(chunks);
        }
    }
}
