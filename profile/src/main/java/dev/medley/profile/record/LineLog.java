package dev.medley.profile.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file of lines that only grows, one write per line: what a killed process leaves ends with a
 * whole line or with one cut line, which {@link #open} takes away. A line that the disk takes only
 * half of is taken back. Guarded by the recorder's lock.
 */
final class LineLog implements AutoCloseable {
    private static final int TAIL_BYTES = 1 << 16;

    private final FileChannel channel;
    private long wholeBytes;

    private LineLog(FileChannel channel) {
        this.channel = channel;
    }

    static LineLog open(Path file) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE);
        LineLog log = new LineLog(channel);
        try {
            log.wholeBytes = endOfLastLine(channel);
            log.takeBack();
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        return log;
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

    /** Closes this file, which may have been removed, and goes on in a new one with all of it. */
    LineLog copiedTo(Path fresh) throws IOException {
        LineLog copy = open(fresh);
        copy.channel.truncate(0);
        for (long at = 0; at < wholeBytes; ) {
            at += channel.transferTo(at, wholeBytes - at, copy.channel.position(at));
        }
        copy.wholeBytes = wholeBytes;
        channel.close();
        return copy;
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
