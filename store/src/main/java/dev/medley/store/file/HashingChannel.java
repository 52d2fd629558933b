package dev.medley.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/**
 * Passes bytes on in pieces that stay in the processor's cache, so that the checksum of what is
 * written costs no second reading from memory. Closing it closes what it passes on to.
 */
public final class HashingChannel implements WritableByteChannel {
    static final int PIECE_BYTES = 1 << 20;

    private final WritableByteChannel to;
    private final Checksum checksum;
    private long bytesWritten = 0;

    /** Passes on to {@code to}; {@code checksum} takes in what was written. */
    public HashingChannel(WritableByteChannel to, Checksum checksum) {
        this.to = to;
        this.checksum = checksum;
    }

    /** Writes all that remains of {@code bytes}. */
    @Override
    public int write(ByteBuffer bytes) throws IOException {
        int total = bytes.remaining();
        while (bytes.hasRemaining()) {
            int length = Math.min(PIECE_BYTES, bytes.remaining());
            ByteBuffer piece = bytes.slice(bytes.position(), length);
            checksum.update(piece);
            AtomicFile.writeFully(to, piece);
            bytes.position(bytes.position() + length);
        }
        bytesWritten += total;
        return total;
    }

    /** Bytes passed on so far. */
    public long bytesWritten() {
        return bytesWritten;
    }

    @Override
    public boolean isOpen() {
        return to.isOpen();
    }

    @Override
    public void close() throws IOException {
        to.close();
    }
}
