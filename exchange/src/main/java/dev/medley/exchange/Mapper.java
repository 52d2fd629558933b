package dev.medley.exchange;

import dev.medley.base.memory.Span;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Maps and reserves exchange memory. The default maps files in chunks of {@link Span#CHUNK_BYTES},
 * each at an address of its own; whoever needs one contiguous range of addresses for more than one
 * chunk hands a mapper of theirs to {@link ExchangeEndpoint#open}.
 */
public interface Mapper {
    /** Maps a stretch of a file, shared and writable. Held for as long as the span is. */
    Span map(Path file, long offset, long bytes) throws IOException;

    /** Zeroed memory of this process alone. */
    Span reserve(long bytes);

    /** Maps by {@link FileChannel}, reserves by {@link Span#allocate}. */
    static Mapper inChunks() {
        return new Mapper() {
            @Override
            public Span map(Path file, long offset, long bytes) throws IOException {
                List<ByteBuffer> chunks = new ArrayList<>();
                try (FileChannel channel =
                        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                    for (long done = 0;
                            done < bytes || chunks.isEmpty();
                            done += Span.CHUNK_BYTES) {
                        long length = Math.min(bytes - done, Span.CHUNK_BYTES);
                        chunks.add(channel.map(MapMode.READ_WRITE, offset + done, length));
                    }
                }
                return Span.ofChunks(chunks);
            }

            @Override
            public Span reserve(long bytes) {
                return Span.allocate(bytes);
            }
        };
    }
}
