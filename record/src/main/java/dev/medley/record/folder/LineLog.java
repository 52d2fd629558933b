package dev.medley.record.folder;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes a file of lines that only grows, one write per line. A killed process leaves a file that
 * ends with a whole line or with one cut line, which {@link #open} takes away. A line that the disk
 * takes only half of is taken back. Guarded by the recorder's lock.
 */
final class LineLog implements AutoCloseable {
    private static final int TAIL_BYTES = 1 << 16;

    private final FileChannel channel;

    /** Which file it is, whatever its name; null where the system has no such key. */
    private final @Nullable Object key;

    private long wholeBytes;

    private LineLog(FileChannel channel, @Nullable Object key) {
        this.channel = channel;
        this.key = key;
    }

    static LineLog open(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        try {
            LineLog log = new LineLog(channel, keyOf(file));
            log.wholeBytes = endOfLastLine(channel);
            log.takeBack();
            return log;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Appends a line, or nothing and throws. */
    void append(String line) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        int length = bytes.remaining();
        try {
            long at = wholeBytes;
            while (bytes.hasRemaining()) {
                at += channel.write(bytes, at);
            }
        } catch (IOException e) {
            tryToTakeBack(e);
            throw e;
        }
        wholeBytes += length;
    }

    /**
     * This log, where it is in that file; else a new one there with all of its lines, and this one,
     * whose file may have been removed, is closed. Where that fails this one goes on.
     */
    LineLog at(Path place) throws IOException {
        if (Files.exists(place) && Objects.equals(key, keyOf(place))) {
            return this;
        }
        AtomicWrite.content(place, to -> copy(channel, 0, wholeBytes, to));
        LineLog copy = open(place);
        channel.close();
        return copy;
    }

    /** Copies a stretch to where the other channel is. */
    static void copy(FileChannel from, long start, long end, FileChannel to) throws IOException {
        for (long at = start; at < end; ) {
            long copied = from.transferTo(at, end - at, to);
            if (copied <= 0) {
                throw new EOFException(
                        "the record's file ends at %d of %d bytes: somebody cut it"
                                .formatted(at, end));
            }
            at += copied;
        }
    }

    /** Number of whole lines; reads them all. */
    int lines() throws IOException {
        int lines = 0;
        ByteBuffer some = ByteBuffer.allocate(TAIL_BYTES);
        for (long at = 0; at < wholeBytes; at += some.position()) {
            some.clear();
            if (channel.read(some, at) <= 0) {
                break;
            }
            for (int i = 0; i < some.position(); i++) {
                lines += some.get(i) == '\n' ? 1 : 0;
            }
        }
        return lines;
    }

    /** Bytes of whole lines. */
    long bytes() {
        return wholeBytes;
    }

    FileChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.force(false);
        channel.close();
    }

    private static @Nullable Object keyOf(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    private void takeBack() throws IOException {
        if (channel.size() > wholeBytes) {
            channel.truncate(wholeBytes);
        }
    }

    private void tryToTakeBack(IOException because) {
        try {
            takeBack();
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    private static long endOfLastLine(FileChannel channel) throws IOException {
        long end = channel.size();
        while (end > 0) {
            long start = Math.max(0, end - TAIL_BYTES);
            ByteBuffer tail = ByteBuffer.allocate((int) (end - start));
            while (tail.hasRemaining() && channel.read(tail, start + tail.position()) >= 0) {
                // Until the tail is whole.
            }
            for (int i = tail.position() - 1; i >= 0; i--) {
                if (tail.get(i) == '\n') {
                    return start + i + 1;
                }
            }
            end = start;
        }
        return 0;
    }
}
