package dev.medley.data.shard;

import dev.medley.base.ConfigException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes one file of decoded samples through one buffer. Counts what all writers of a set have
 * written against the limit of the disk cache.
 */
public final class ShardWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 20;

    private final FileChannel channel;
    private final DiskBudget budget;
    private final ByteBuffer buffer;
    private long writtenBytes;

    /** Creates {@code file}, which must not exist. */
    public ShardWriter(Path file, DiskBudget budget) throws IOException {
        this.channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        this.budget = budget;
        this.buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.nativeOrder());
    }

    /**
     * A buffer in native order with room for {@code bytes} at its position; what the caller puts
     * there is written.
     *
     * @throws ConfigException if the set does not fit the disk cache
     */
    public ByteBuffer room(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            flush();
        }
        if (buffer.capacity() < bytes) {
            throw new IllegalStateException("a record of " + bytes + " bytes: write it in parts");
        }
        return buffer;
    }

    /** Writes {@code length} bytes of {@code source}. */
    public void write(byte[] source, int from, int length) throws IOException {
        for (int done = 0; done < length; ) {
            int part = Math.min(length - done, BUFFER_BYTES);
            room(part).put(source, from + done, part);
            done += part;
        }
    }

    /** Bytes handed over so far. */
    public long bytes() {
        return writtenBytes + buffer.position();
    }

    /** Writes what is left and closes the file. */
    @Override
    public void close() throws IOException {
        try (channel) {
            flush();
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        budget.use(buffer.remaining());
        writtenBytes += buffer.remaining();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }
}
